package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Action;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A service that takes part in a leader election. In the history each campaign is an acquisition that waits for ever, and each lead the
 * handle that it is granted.
 */
final class ElectionCandidate {

    /** Of losses for one reason only the message tells them from the end of an engine. */
    private static final String STEPPED_DOWN = "stepped down";

    private final SimulationRun run;
    private final Service service;
    private final EngineCalls calls;
    private final Operation campaign;
    /** The newest campaign, and the lead that it was granted. */
    private int call;

    private boolean waiting;
    private @Nullable Lease lead;
    private @Nullable LeaderElection election;
    private boolean closing;

    ElectionCandidate(SimulationRun run, Service service, EngineCalls calls, Operation campaign) {
        this.run = run;
        this.service = service;
        this.calls = calls;
        this.campaign = campaign;
    }

    void run(Action.Acquire acquire) {
        begin();
        LeaderElection started;
        try {
            LeaderElection.Builder campaigning = service.engine()
                    .elect(EngineCalls.request(acquire))
                    .onGranted(this::granted)
                    .onLost(this::lost);
            started = (acquire.priority() == null ? campaigning : campaigning.yieldToHigherPriority()).start();
        } catch (LeaseException e) {
            run.calls().end(call, Answers.of(e));
            return;
        }
        election = started;
        service.campaigns(this, true);
        service.pause(acquire.keepNanos());
        service.campaigns(this, false);
        close(started);
    }

    /** Whether it leads by that lease, and may be asked to step down. */
    boolean leads(String lease) {
        Lease led = lead;
        return led != null && !closing && led.tenure().name().equals(lease);
    }

    /** Asks the election to step down for the engine on another machine. */
    void stepDownTo(int machine) {
        Tenure led = Objects.requireNonNull(lead).tenure();
        LeaderElection leading = Objects.requireNonNull(election);
        String instance = WriterName.instance(machine);
        calls.stepDown(led, instance, () -> {
            CompletableFuture<Boolean> granted = leading.stepDownTo(instance).toCompletableFuture();
            while (!service.process().await(granted, Long.MAX_VALUE / 4)) {
                // Until it is answered.
            }
            return EngineCalls.joined(granted);
        });
    }

    private void begin() {
        call = run.calls().begin(service, campaign);
        waiting = true;
    }

    private void granted(Lease lease) {
        lead = lease;
        waiting = false;
        service.acquired(lease, call);
        run.calls().end(call, Answers.yes(lease.tenure()));
    }

    private void lost(LeaseLoss loss) {
        boolean steppedDown = loss.message().contains(STEPPED_DOWN);
        Lease led = lead;
        if (led != null) {
            lead = null;
            if (steppedDown && !closing) {
                // From now on its engine releases it.
                int close = calls.beginClosing(led.tenure(), call);
                led.closeAsync().whenComplete((released, failure) -> run.calls().end(close, Answers.DONE));
            }
            service.forget(led);
        }
        if (!closing && (loss.reason() != LeaseLoss.Reason.CLOSED || steppedDown)) {
            begin();
        }
    }

    private void close(LeaderElection election) {
        closing = true;
        Lease led = lead;
        if (led != null) {
            calls.closeHandle(led.tenure(), call, election::close);
            return;
        }
        election.close();
        // None was begun after a lead that was lost with the engine.
        if (waiting) {
            run.calls().end(call, Answers.no(Answer.CANCELLED));
        }
    }
}
