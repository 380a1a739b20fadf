package dev.leasehold.replicaset;

/** A node that was not started here: it can be spoken to, and that is all. */
final class ForeignNode extends Node {

    private final boolean alone;

    ForeignNode(int index, String address, NodeConnection connection, boolean alone) {
        super(index, address, connection);
        this.alone = alone;
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public void kill() {
        throw notOurs("killed");
    }

    @Override
    public void terminate() {
        throw notOurs("terminated");
    }

    @Override
    public void pause() {
        throw notOurs("paused");
    }

    @Override
    public void resume() {
        throw notOurs("resumed");
    }

    @Override
    public void restart() {
        throw notOurs("restarted");
    }

    @Override
    boolean isAlone() {
        return alone;
    }

    private UnsupportedOperationException notOurs(String done) {
        return new UnsupportedOperationException("%s cannot be %s: it belongs to the existing replica set of %s"
                .formatted(this, done, ConfiguredSet.VARIABLE));
    }
}
