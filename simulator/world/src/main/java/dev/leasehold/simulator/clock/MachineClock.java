package dev.leasehold.simulator.clock;

import java.util.ArrayList;
import java.util.List;

/**
 * The two clocks of one machine as functions of true time. What befalls them is told in the order in which it happens; what was
 * before stays as it was, so that the clock can still be asked about it.
 */
public final class MachineClock {

    private static final long SECOND = 1_000_000_000;

    /**
     * From an instant on, until the next piece begins.
     *
     * @param shownNanos what the monotonic clock shows then
     * @param elapsedNanos how far the clock had run since the beginning, whatever it was set to
     * @param fraction how much further it had run, in billionths of a nanosecond: a clock never loses what it does not show
     */
    private record Piece(long fromNanos, long shownNanos, long elapsedNanos, long fraction, long ppb) {

        /** Of the nanosecond that it shows. */
        long fractionAt(long trueNanos) {
            return Math.floorMod(fraction + (trueNanos - fromNanos) % SECOND * ppb, SECOND);
        }

        long runNanos(long trueNanos) {
            long spanNanos = trueNanos - fromNanos;
            return spanNanos + spanNanos / SECOND * ppb + Math.floorDiv(fraction + spanNanos % SECOND * ppb, SECOND);
        }
    }

    /** From an instant on the wall clock is ahead of where it began by so much more than true time. */
    private record WallStep(long fromNanos, long aheadNanos) {}

    private static final long STOPPED_PPB = -SECOND;

    private final long wallNanos;
    private final long wallPrecisionNanos;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<WallStep> wallSteps = new ArrayList<>();
    private int lastFound;
    private int changes;

    public MachineClock(Machine machine) {
        this.wallNanos = machine.wallNanos();
        this.wallPrecisionNanos = machine.wallPrecisionNanos();
        long firstPpb = machine.rates().isEmpty() ? 0 : machine.rates().get(0).ppb();
        pieces.add(new Piece(0, machine.monotonicNanos(), 0, 0, firstPpb));
        for (int i = 1; i < machine.rates().size(); i++) {
            pieces.add(next(
                    machine.rates().get(i).fromNanos(), machine.rates().get(i).ppb()));
        }
        wallSteps.add(new WallStep(0, 0));
    }

    /** What the monotonic clock shows. It may wrap around. */
    public long monotonicNanos(long trueNanos) {
        Piece piece = pieces.get(indexAt(trueNanos));
        return piece.shownNanos() + piece.runNanos(trueNanos);
    }

    /** What the wall clock shows. */
    public long wallNanos(long trueNanos) {
        long exactNanos = exactWallNanos(trueNanos);
        return exactNanos - Math.floorMod(exactNanos, wallPrecisionNanos);
    }

    /** The first instant after that at which the wall clock shows something else, unless it is set before. */
    public long nextWallTickNanos(long trueNanos) {
        return trueNanos + wallPrecisionNanos - Math.floorMod(exactWallNanos(trueNanos), wallPrecisionNanos);
    }

    private long exactWallNanos(long trueNanos) {
        long aheadNanos = 0;
        for (int i = wallSteps.size() - 1; i >= 0; i--) {
            if (wallSteps.get(i).fromNanos() <= trueNanos) {
                aheadNanos = wallSteps.get(i).aheadNanos();
                break;
            }
        }
        return wallNanos + trueNanos + aheadNanos;
    }

    /** How far the monotonic clock has run since the beginning, whatever it was set to meanwhile. */
    public long ranNanos(long trueNanos) {
        Piece piece = pieces.get(indexAt(trueNanos));
        return piece.elapsedNanos() + piece.runNanos(trueNanos);
    }

    /** By how much the monotonic clock ran between two instants, whatever it was set to meanwhile. */
    public long elapsedNanos(long fromTrueNanos, long toTrueNanos) {
        return ranNanos(toTrueNanos) - ranNanos(fromTrueNanos);
    }

    /** What the wall clock shows is a whole multiple of this. */
    public long wallPrecisionNanos() {
        return wallPrecisionNanos;
    }

    /** Whether the monotonic clock shows all that it has run: the nanosecond that it shows has just begun. */
    public boolean isAtTick(long trueNanos) {
        return pieces.get(indexAt(trueNanos)).fractionAt(trueNanos) == 0;
    }

    /** For how long the monotonic clock stood still between two instants. */
    public long stoppedNanos(long fromTrueNanos, long toTrueNanos) {
        long stoppedNanos = 0;
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.get(i).ppb() == STOPPED_PPB) {
                long fromNanos = Math.max(fromTrueNanos, pieces.get(i).fromNanos());
                long toNanos = Math.min(
                        toTrueNanos, i + 1 < pieces.size() ? pieces.get(i + 1).fromNanos() : Long.MAX_VALUE);
                stoppedNanos += Math.max(0, toNanos - fromNanos);
            }
        }
        return stoppedNanos;
    }

    /** The first instant from {@code fromTrueNanos} on at which the monotonic clock has run this far; MAX_VALUE for never. */
    public long afterElapsedNanos(long fromTrueNanos, long runNanos) {
        if (runNanos <= 0) {
            return fromTrueNanos;
        }
        int index = indexAt(fromTrueNanos);
        long leftNanos = runNanos;
        long atNanos = fromTrueNanos;
        while (true) {
            Piece piece = pieces.get(index);
            boolean last = index + 1 == pieces.size();
            long endNanos = last ? Long.MAX_VALUE : pieces.get(index + 1).fromNanos();
            long runBeforeNanos = piece.runNanos(atNanos);
            if (piece.ppb() != STOPPED_PPB && (last || piece.runNanos(endNanos) - runBeforeNanos >= leftNanos)) {
                return trueAt(piece, runBeforeNanos + leftNanos);
            }
            if (last) {
                return Long.MAX_VALUE;
            }
            leftNanos -= piece.runNanos(endNanos) - runBeforeNanos;
            atNanos = endNanos;
            index++;
        }
    }

    /** The first instant at which the clock has run this far within the piece: {@code span * perSecond + fraction >= runNanos * SECOND}. */
    private static long trueAt(Piece piece, long runNanos) {
        long perSecond = SECOND + piece.ppb();
        long seconds = runNanos / perSecond;
        if (seconds >= (Long.MAX_VALUE - piece.fromNanos()) / SECOND - 1) {
            return Long.MAX_VALUE;
        }
        long restNanos = runNanos % perSecond * SECOND - piece.fraction();
        return piece.fromNanos() + seconds * SECOND + Math.floorDiv(restNanos + perSecond - 1, perSecond);
    }

    /** How many times the monotonic clock's course was changed so far. */
    public int changes() {
        return changes;
    }

    // ---- what befalls the clocks, each from the latest instant told on ----

    /** From now on the monotonic clock runs at this rate. */
    public void setRate(long nowNanos, long ppb) {
        cutAt(nowNanos, ppb);
    }

    /** The monotonic clock stands still for a while, and goes on at the rates that it would have had. */
    public void stop(long nowNanos, long untilNanos) {
        List<Piece> later = piecesAfter(untilNanos);
        long ppbAfter = pieces.get(indexAt(untilNanos)).ppb();
        cutAt(nowNanos, STOPPED_PPB);
        pieces.add(next(untilNanos, ppbAfter));
        resume(later);
    }

    /** If the monotonic clock stands still, it goes on now, and not only later. */
    public void endStop(long nowNanos) {
        List<Piece> later = piecesAfter(nowNanos);
        while (pieces.get(indexAt(nowNanos)).ppb() == STOPPED_PPB && !later.isEmpty()) {
            cutAt(nowNanos, later.remove(0).ppb());
        }
        resume(later);
    }

    /** The monotonic clock shows something else, and runs on at the rates that it would have had. */
    public void setMonotonic(long nowNanos, long shownNanos) {
        List<Piece> later = piecesAfter(nowNanos);
        Piece piece = cutAt(nowNanos, pieces.get(indexAt(nowNanos)).ppb());
        pieces.set(
                pieces.size() - 1,
                new Piece(nowNanos, shownNanos, piece.elapsedNanos(), piece.fraction(), piece.ppb()));
        resume(later);
    }

    /** The wall clock is set forward, or back. */
    public void stepWall(long nowNanos, long byNanos) {
        wallSteps.add(new WallStep(nowNanos, wallSteps.get(wallSteps.size() - 1).aheadNanos() + byNanos));
    }

    /** It begins where it was found the last time: most questions are about the same time. */
    private int indexAt(long trueNanos) {
        int index = Math.min(lastFound, pieces.size() - 1);
        while (index > 0 && pieces.get(index).fromNanos() > trueNanos) {
            index--;
        }
        while (index + 1 < pieces.size() && pieces.get(index + 1).fromNanos() <= trueNanos) {
            index++;
        }
        lastFound = index;
        return index;
    }

    private List<Piece> piecesAfter(long trueNanos) {
        return new ArrayList<>(pieces.subList(indexAt(trueNanos) + 1, pieces.size()));
    }

    private Piece cutAt(long nowNanos, long ppb) {
        changes++;
        int index = indexAt(nowNanos);
        pieces.subList(index + 1, pieces.size()).clear();
        Piece piece = next(nowNanos, ppb);
        if (pieces.get(index).fromNanos() == nowNanos) {
            pieces.set(index, piece);
        } else {
            pieces.add(piece);
        }
        return piece;
    }

    private void resume(List<Piece> later) {
        for (Piece piece : later) {
            pieces.add(next(piece.fromNanos(), piece.ppb()));
        }
    }

    /** What follows on the last piece. */
    private Piece next(long fromNanos, long ppb) {
        Piece last = pieces.get(pieces.size() - 1);
        long ranNanos = last.runNanos(fromNanos);
        return new Piece(
                fromNanos,
                last.shownNanos() + ranNanos,
                last.elapsedNanos() + ranNanos,
                last.fractionAt(fromNanos),
                ppb);
    }
}
