package dev.leasehold.simulator.world;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Leg;
import dev.leasehold.simulator.history.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The network between machines and the primary. An exchange has four instants: sent, executed, answered, received. Each way has its own delay
 * and may be lost. A request that is under way arrives whatever has become of its sender.
 */
public final class SimulatedNetwork {

    /** Where the primary puts its answer. */
    public static final class Answer<T> {
        private final @Nullable Exchange<T> exchange;

        private Answer(@Nullable Exchange<T> exchange) {
            this.exchange = exchange;
        }

        /** Answers. What comes after the first answer is ignored. */
        public void give(T value) {
            if (exchange != null) {
                exchange.answer(value);
            }
        }

        /** Whether nothing waits for it any more. For marks alone: a server does not know. */
        public boolean isLate() {
            return exchange != null && exchange.isAbandoned();
        }

        /** Whether what is asked is interrupted behind its first part. */
        public boolean isCutShort() {
            return exchange != null && exchange.is(MessageFault.Kind.CUT_SHORT);
        }
    }

    /**
     * What became of an exchange: an answer, or a fault.
     *
     * @param answer null when there was a fault
     * @param networkFault null when there is an answer
     */
    public record Reply<T>(@Nullable T answer, @Nullable NetworkFault networkFault) {}

    /** Why an exchange brought no answer. */
    public enum NetworkFault {
        /** There was no server to send it to. It was not sent. */
        NOT_SENT,
        /** The server answered with a passing error. Whether it did what was asked cannot be told from that. */
        PASSING_ERROR,
        /** The connection broke, or the client's patience was over. What was asked may have been done, or may be done yet. */
        NO_ANSWER
    }

    private final Simulation simulation;
    private final NetworkConditions network;
    private final List<Exchange<?>> open = new ArrayList<>();
    private boolean primary = true;
    /** How many primaries are gone. */
    private int pastPrimaries;

    private boolean healed;
    private CompletableFuture<Void> primaryBack = CompletableFuture.completedFuture(null);
    private int messages;

    public SimulatedNetwork(Simulation simulation, NetworkConditions network) {
        this.simulation = simulation;
        this.network = network;
    }

    /** There is no server to send to. What was executed and not answered yet will have no answer. */
    public void losePrimary() {
        if (primary) {
            primary = false;
            pastPrimaries++;
            primaryBack = new CompletableFuture<>();
            for (Exchange<?> exchange : List.copyOf(open)) {
                exchange.connectionLost();
            }
        }
    }

    /** There is a server again. */
    public void gainPrimary() {
        if (!primary) {
            primary = true;
            primaryBack.complete(null);
        }
    }

    /**
     * From now on everything arrives, after the least delay, and what was sent before and is not waited for any more never does: it
     * could do harm at any time, and engines that are judged by what they do without harm could not be judged.
     */
    public void heal() {
        healed = true;
        gainPrimary();
    }

    /**
     * Sends a request and waits for its answer. To be called by a simulated thread of the client.
     *
     * @param what it asks, in a word or two
     * @param patienceNanos for how long the client waits, on its own clock
     * @param request what the primary is to do, at the instant of its execution. It may answer at once or later, and must not wait
     */
    public <T> Reply<T> exchange(
            SimulatedProcess client, String what, long patienceNanos, Consumer<Answer<T>> request) {
        client.requireAlive();
        if (!primary && !client.await(primaryBack, patienceNanos)) {
            return new Reply<>(null, NetworkFault.NOT_SENT);
        }
        Exchange<T> exchange = new Exchange<>(client, what, request);
        exchange.send();
        if (!client.await(exchange.over, patienceNanos)) {
            exchange.note(Leg.GIVEN_UP);
            exchange.end(new Reply<>(null, NetworkFault.NO_ANSWER));
        }
        return Objects.requireNonNull(exchange.outcome);
    }

    /** One message on its two ways. */
    private final class Exchange<T> {
        private final SimulatedProcess client;
        private final SimulatedMachine simulatedMachine;
        private final String what;
        private final Consumer<Answer<T>> request;
        private final int number = messages++;
        /** For the client. */
        private final Signal over = new Signal();

        private final boolean faultFree;
        private final @Nullable MessageFault messageFault;
        private final boolean refused;
        private final boolean unanswered;
        private boolean answered;
        private @Nullable Reply<T> outcome;

        Exchange(SimulatedProcess client, String what, Consumer<Answer<T>> request) {
            this.client = client;
            this.simulatedMachine = client.simulatedMachine();
            this.what = what;
            this.request = request;
            this.faultFree = healed || simulatedMachine.isFaultFree();
            this.messageFault = faultFree ? null : simulatedMachine.nextMessageFault();
            this.refused = is(MessageFault.Kind.REFUSE) || strikes(network.refusedPpm(), Faults.REFUSED);
            this.unanswered = is(MessageFault.Kind.DO_AND_FAIL) || strikes(network.unansweredPpm(), Faults.UNANSWERED);
        }

        private boolean is(MessageFault.Kind kind) {
            return messageFault != null && messageFault.kind() == kind;
        }

        private boolean strikes(int ppm, String fault) {
            boolean strikes = !faultFree && simulatedMachine.seededRandom().chance(ppm);
            if (strikes) {
                fault(fault, 0);
            }
            return strikes;
        }

        private void fault(String fault, long forNanos) {
            simulation.record(new Event.Fault(
                    simulation.nowNanos(), simulatedMachine.number(), fault, simulation.nowNanos() + forNanos));
        }

        void note(Leg leg) {
            simulation.record(new Event.Message(simulation.nowNanos(), simulatedMachine.number(), number, leg, what));
        }

        private long wayNanos(MessageFault.Kind delayed) {
            if (faultFree) {
                return healed ? network.delayNanos() : 0;
            }
            long nanos = network.delayNanos() + simulatedMachine.seededRandom().upTo(network.jitterNanos());
            if (strikes(network.latePpm(), Faults.LATE)) {
                nanos += simulatedMachine.seededRandom().upTo(network.lateNanos());
            }
            return is(delayed) ? nanos + Objects.requireNonNull(messageFault).delayNanos() : nanos;
        }

        void send() {
            note(Leg.SENT);
            if (messageFault != null && !messageFault.kind().comesWhenDone()) {
                fault(messageFault.kind().name(), messageFault.delayNanos());
            }
            boolean lost = is(MessageFault.Kind.LOSE_REQUEST) || strikes(network.lostRequestPpm(), Faults.LOST_REQUEST);
            if (lost || simulatedMachine.isCutOff()) {
                note(Leg.REQUEST_LOST);
            } else {
                open.add(this);
                long wayNanos = wayNanos(MessageFault.Kind.DELAY_REQUEST);
                simulation.after(wayNanos, this::arrive);
                repeatAfter(wayNanos);
            }
            befall(MessageFault.Kind.CRASH_WHEN_SENT, MessageFault.Kind.PAUSE_WHEN_SENT);
        }

        /** The second one has no sender to answer to. It goes where the first one went, so that another primary does not get it. */
        private void repeatAfter(long wayNanos) {
            if (is(MessageFault.Kind.REPEAT) || strikes(network.repeatedPpm(), Faults.REPEATED)) {
                long laterNanos = is(MessageFault.Kind.REPEAT)
                        ? Objects.requireNonNull(messageFault).delayNanos()
                        : simulatedMachine.seededRandom().upTo(network.lateNanos());
                int toPrimary = pastPrimaries;
                simulation.after(wayNanos + laterNanos, () -> {
                    if (primary && pastPrimaries == toPrimary && !healed) {
                        request.accept(new Answer<>(null));
                    }
                });
            }
        }

        private void befall(MessageFault.Kind crash, MessageFault.Kind pause) {
            if (is(crash)) {
                simulatedMachine.crashFor(Objects.requireNonNull(messageFault).delayNanos());
            } else if (is(pause)) {
                simulatedMachine.sleep(simulation.nowNanos()
                        + Objects.requireNonNull(messageFault).delayNanos());
            }
        }

        private boolean isAbandoned() {
            return over.isGiven() || !client.isAlive();
        }

        private void arrive() {
            if (healed && isAbandoned()) {
                open.remove(this);
                note(Leg.REQUEST_LOST);
                return;
            }
            if (!primary || refused) {
                fail(NetworkFault.PASSING_ERROR);
                return;
            }
            note(Leg.EXECUTED);
            request.accept(new Answer<>(this));
            if (messageFault != null && messageFault.kind().comesWhenDone() && !healed) {
                fault(messageFault.kind().name(), messageFault.delayNanos());
                befall(MessageFault.Kind.CRASH_WHEN_DONE, MessageFault.Kind.PAUSE_WHEN_DONE);
            }
        }

        void answer(T value) {
            if (!answered) {
                note(Leg.ANSWERED);
                reply(unanswered ? new Reply<>(null, NetworkFault.PASSING_ERROR) : new Reply<>(value, null));
            }
        }

        private void fail(NetworkFault networkFault) {
            if (!answered) {
                reply(new Reply<>(null, networkFault));
            }
        }

        private void reply(Reply<T> reply) {
            answered = true;
            open.remove(this);
            boolean lost = is(MessageFault.Kind.LOSE_REPLY) || strikes(network.lostReplyPpm(), Faults.LOST_REPLY);
            if (lost || (!healed && simulatedMachine.isCutOff())) {
                note(Leg.REPLY_LOST);
            } else {
                simulation.after(wayNanos(MessageFault.Kind.DELAY_REPLY), () -> receive(reply));
            }
        }

        private void receive(Reply<T> reply) {
            if (client.isAlive() && !over.isGiven()) {
                note(Leg.RECEIVED);
                end(reply);
            }
        }

        private void end(Reply<T> reply) {
            outcome = reply;
            over.give();
        }

        /** What is on its way to the primary that is gone, or waits there, is never answered. */
        void connectionLost() {
            fail(NetworkFault.PASSING_ERROR);
        }
    }
}
