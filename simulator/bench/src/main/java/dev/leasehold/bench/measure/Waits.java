package dev.leasehold.bench.measure;

import java.util.List;

/**
 * How callers waited for one lock that all of them want again and again.
 *
 * @param ofCallers what each caller waited for, in the order in which it did
 */
public record Waits(List<List<Wait>> ofCallers) {

    /**
     * One wait, by a clock that all callers share.
     *
     * @param askedNanos when the caller asked for the lock
     * @param acquiredNanos when it had the lock
     */
    public record Wait(long askedNanos, long acquiredNanos) {

        private boolean includes(Wait other) {
            return askedNanos < other.acquiredNanos && other.acquiredNanos < acquiredNanos;
        }
    }

    public Waits {
        ofCallers = ofCallers.stream().map(List::copyOf).toList();
    }

    /** {@return whether nothing was waited for} */
    public boolean isEmpty() {
        return ofCallers.stream().allMatch(List::isEmpty);
    }

    /** {@return the longest wait, in terms of the mean} */
    public double longestByMean() {
        var lengths = ofCallers.stream()
                .flatMap(List::stream)
                .mapToLong(wait -> wait.acquiredNanos - wait.askedNanos)
                .summaryStatistics();
        return lengths.getMax() / lengths.getAverage();
    }

    /**
     * {@return the share of the waits in which no other caller had the lock twice} A caller that asks again after its release stands
     * behind all that wait already, so in the order of arrival it cannot have the lock twice while another one waits. That needs no
     * look at when a request reached the server.
     */
    public double inOrder() {
        long all = ofCallers.stream().mapToLong(List::size).sum();
        long overtaken = 0;
        for (List<Wait> own : ofCallers) {
            overtaken += own.stream().filter(wait -> isOvertaken(wait, own)).count();
        }
        return 1 - (double) overtaken / all;
    }

    private boolean isOvertaken(Wait wait, List<Wait> own) {
        return ofCallers.stream()
                .filter(others -> others != own)
                .anyMatch(others ->
                        others.stream().filter(wait::includes).limit(2).count() == 2);
    }
}
