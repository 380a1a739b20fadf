package dev.leasehold.simulator.run;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import org.jspecify.annotations.Nullable;

/** Leader elections. In the history each campaign is an acquisition that waits for ever, and each lead the handle that it is granted. */
final class Elections {

    private final SimulationRun run;

    Elections(SimulationRun run) {
        this.run = run;
    }

    void run(Service service, Action.Acquire acquire) {
        new Candidate(service, EngineCalls.operation(run, service, acquire)).run(acquire);
    }

    private final class Candidate {
        private final Service service;
        private final Operation campaign;
        /** The newest campaign, and the lead that it was granted. */
        private int call;

        private @Nullable Lease lead;
        private boolean closing;

        Candidate(Service service, Operation campaign) {
            this.service = service;
            this.campaign = campaign;
        }

        void run(Action.Acquire acquire) {
            call = run.calls().begin(service, campaign);
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

        private void granted(Lease lease) {
            lead = lease;
            service.acquired(lease, call);
            run.calls().end(call, Answers.yes(lease.tenure()));
        }

        private void lost(LeaseLoss loss) {
            if (lead != null) {
                service.forget(lead);
                lead = null;
            }
            if (!closing && loss.reason() != LeaseLoss.Reason.CLOSED) {
                call = run.calls().begin(service, campaign);
            }
        }

        private void close(LeaderElection election) {
            closing = true;
            Lease led = lead;
            if (led == null) {
                election.close();
                run.calls().end(call, Answers.no(Answer.CANCELLED));
            } else {
                service.call(
                        EngineCalls.about(Operation.Kind.CLOSE_HANDLE, led.tenure(), 0)
                                .ofHandle(call),
                        it -> {
                            election.close();
                            return Answers.DONE;
                        });
            }
        }
    }
}
