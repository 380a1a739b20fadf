package dev.leasehold.bench.measure;

/** What the subject of a goal is compared with. */
public sealed interface Peer {

    /** {@return so many times this, in words} */
    String words(double factor, Quantity quantity);

    /** {@return what comes of the comparison} */
    Verdict compare(Goal goal, Series subject, Result result);

    /** {@return another entrant of the same row} */
    static Peer entrant(String name) {
        return new Entrant(name);
    }

    /** {@return whichever peer is best, those with one node left out or not} */
    static Peer bestPeer(boolean withOneNode) {
        return new BestPeer(withOneNode);
    }

    /** {@return a fixed value, which no round may break} */
    static Peer fixed(double value) {
        return new Fixed(value);
    }

    /**
     * Another entrant of the same row. The median of the ratios of all rounds decides.
     *
     * @param name of it
     */
    record Entrant(String name) implements Peer {
        @Override
        public String words(double factor, Quantity quantity) {
            return Unit.number(factor) + " x " + name;
        }

        @Override
        public Verdict compare(Goal goal, Series subject, Result result) {
            return result.find(name)
                    .map(rival -> byMedian(goal, subject, rival))
                    .orElseGet(() -> new Verdict.NotMeasured(goal, name + " did not take part"));
        }
    }

    /**
     * Whichever peer is best. The median of the ratios of all rounds decides.
     *
     * @param withOneNode whether those count that have one node
     */
    record BestPeer(boolean withOneNode) implements Peer {
        @Override
        public String words(double factor, Quantity quantity) {
            return Unit.number(factor) + " x the best " + (withOneNode ? "peer" : "three-node peer");
        }

        @Override
        public Verdict compare(Goal goal, Series subject, Result result) {
            return result.best(role -> withOneNode ? role.isPeer() : role == Role.PEER, goal.quantity())
                    .map(rival -> byMedian(goal, subject, rival))
                    .orElseGet(() -> new Verdict.NotMeasured(goal, "no peer took part"));
        }
    }

    /**
     * A fixed value. The worst round decides.
     *
     * @param value in the unit of the quantity
     */
    record Fixed(double value) implements Peer {
        @Override
        public String words(double factor, Quantity quantity) {
            return quantity.unit().show(factor * value);
        }

        @Override
        public Verdict compare(Goal goal, Series subject, Result result) {
            Spread values = subject.spread(goal.quantity());
            Spread ratio = new Spread(values.least() / value, values.median() / value, values.greatest() / value);
            double worst = goal.limit() == Goal.Limit.AT_MOST ? ratio.greatest() : ratio.least();
            Unit unit = goal.quantity().unit();
            return goal.verdict(ratio, worst, unit.show(worst * value));
        }
    }

    private static Verdict byMedian(Goal goal, Series subject, Series rival) {
        Spread ratio = subject.ratioTo(rival, goal.quantity());
        Unit unit = goal.quantity().unit();
        return goal.verdict(
                ratio,
                ratio.median(),
                unit.show(subject.spread(goal.quantity()).median()) + " to "
                        + unit.show(rival.spread(goal.quantity()).median()) + " of " + rival.entrant());
    }
}
