package dev.leasehold.simulator.plan;

/** Lets trouble end with the history at the latest, unless it never ends. */
final class Ending {

    private Ending() {}

    /** The same, but over within that time. */
    static Action within(long leftNanos, Action action) {
        long atLeast = Math.max(1, leftNanos);
        if (action instanceof Action.Pause pause) {
            return new Action.Pause(Math.min(atLeast, pause.durationNanos()));
        }
        if (action instanceof Action.Migrate migrate) {
            return new Action.Migrate(Math.min(atLeast, migrate.durationNanos()), migrate.ppbAfter());
        }
        if (action instanceof Action.Suspend suspend) {
            return new Action.Suspend(Math.min(atLeast, suspend.durationNanos()), suspend.monotonicStops());
        }
        if (action instanceof Action.Crash crash && crash.downNanos() != PlanRules.NEVER_NANOS) {
            return new Action.Crash(Math.min(atLeast, crash.downNanos()), crash.monotonicNanos());
        }
        if (action instanceof Action.CutOff cutOff) {
            return new Action.CutOff(Math.min(atLeast, cutOff.durationNanos()));
        }
        if (action instanceof Action.FailOver failOver) {
            return new Action.FailOver(Math.min(atLeast, failOver.durationNanos()), failOver.losesUnreplicated());
        }
        if (action instanceof Action.Lag lag) {
            return new Action.Lag(Math.min(atLeast, lag.durationNanos()));
        }
        return action;
    }
}
