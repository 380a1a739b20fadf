package dev.leasehold.simulator.run;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Plan;
import java.util.Set;

/** The errors that an engine may throw where no answer is recorded: as it starts, and as a boundary is searched for. Others end the history. */
final class ExpectedErrors {

    private static final Set<Class<? extends LeaseException>> PASSING =
            Set.of(LeaseUnavailableException.class, LeaseContentionException.class, LeaseEngineClosedException.class);

    private ExpectedErrors() {}

    /** Whether a plan has a reason for it, or none is needed. */
    static boolean mayCome(LeaseException thrown, Plan plan) {
        if (thrown instanceof ClockAnomalyException) {
            return !plan.setting().inside();
        }
        if (thrown instanceof CorruptDocumentException) {
            return plan.commands().stream().anyMatch(command -> mayDamage(command.action()));
        }
        return PASSING.contains(thrown.getClass());
    }

    /** What is rolled back may leave a document that no write has made. */
    private static boolean mayDamage(Action action) {
        return action instanceof Action.Damage
                || action instanceof Action.FailOver failOver && failOver.losesUnreplicated();
    }
}
