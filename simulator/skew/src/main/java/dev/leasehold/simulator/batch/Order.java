package dev.leasehold.simulator.batch;

/**
 * What is to be played.
 *
 * @param seeds which histories
 * @param histories how many of them at the most
 * @param timeNanos for how long at the most; {@link Long#MAX_VALUE} for as long as it takes
 * @param jobs how many are played at the same time
 * @param checkAll whether every history is played twice, rather than every hundredth
 * @param failuresMax after so many broken histories it is enough
 */
public record Order(Seeds seeds, long histories, long timeNanos, int jobs, boolean checkAll, int failuresMax) {

    private static final int CHECKED_ONE_IN = 100;

    public Order {
        if (histories < 1 || timeNanos < 1 || jobs < 1 || failuresMax < 1) {
            throw new IllegalArgumentException("a batch of " + histories + " histories in " + timeNanos + " ns by "
                    + jobs + " jobs up to " + failuresMax + " failures is refused: each must be at least 1");
        }
    }

    /** How many histories there will be, if nothing ends the batch before. */
    public long length() {
        return Math.min(histories, seeds.count());
    }

    boolean isPlayedTwice(long index) {
        return checkAll || index % CHECKED_ONE_IN == 0;
    }
}
