package dev.leasehold.simulator.run;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import org.jspecify.annotations.Nullable;

/**
 * A service that takes part in a leader election. In the history each campaign is an acquisition that waits for ever, and each lead the
 * handle that it is granted.
 */
final class ElectionCandidate {

    private final SimulationRun run;
    private final Service service;
    private final EngineCalls calls;
    private final Operation campaign;
    /** The newest campaign, and the lead that it was granted. */
    private int call;

    private boolean waiting;
    private @Nullable Lease lead;
    private boolean closing;

    ElectionCandidate(SimulationRun run, Service service, EngineCalls calls, Operation campaign) {
        this.run = run;
        this.service = service;
        this.calls = calls;
        this.campaign = campaign;
    }

    void run(Action.Acquire acquire) {
        begin();
        LeaderElection election;
        try {
            election = service.engine()
                    .elect(EngineCalls.request(acquire))
                    .onGranted(this::granted)
                    .onLost(this::lost)
                    .start();
        } catch (LeaseException e) {
            run.calls().end(call, Answers.of(e));
            return;
        }
        service.pause(acquire.keepNanos());
        close(election);
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
        if (lead != null) {
            service.forget(lead);
            lead = null;
        }
        if (!closing && loss.reason() != LeaseLoss.Reason.CLOSED) {
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
