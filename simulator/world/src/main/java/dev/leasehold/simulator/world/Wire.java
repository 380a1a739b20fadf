package dev.leasehold.simulator.world;

import dev.leasehold.simulator.conditions.Fate;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Leg;
import dev.leasehold.simulator.history.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The wire between hosts and the primary. An exchange has four instants: sent, executed, answered, received. Each way has its own delay
 * and may be lost. A request that is under way arrives whatever has become of its sender.
 */
public final class Wire {

    /** Something that the primary is to do. */
    public interface Request<T> {

        /** At the instant of its execution. It may answer at once or later, and must not wait. */
        void execute(Answer<T> answer);
    }

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

        /** Whether nobody waits for it any more. For marks alone: a server does not know. */
        public boolean isLate() {
            return exchange != null && exchange.isForsaken();
        }
    }

    private final World world;
    private final NetworkConditions network;
    private final List<Exchange<?>> open = new ArrayList<>();
    private boolean primary = true;
    /** How many primaries are gone. */
    private int pastPrimaries;

    private boolean fair;
    private CompletableFuture<Void> primaryBack = CompletableFuture.completedFuture(null);
    private int messages;

    public Wire(World world, NetworkConditions network) {
        this.world = world;
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
     * could do harm at any time, and those who are judged by what they do without harm could not be judged.
     */
    public void heal() {
        fair = true;
        gainPrimary();
    }

    /**
     * Sends a request and waits for its answer. To be called by an actor of the client.
     *
     * @param client whose request it is
     * @param what it asks, in a word or two
     * @param patienceNanos for how long the client waits, on its own clock
     * @param request what the primary is to do
     */
    public <T> Reply<T> exchange(Program client, String what, long patienceNanos, Request<T> request) {
        client.requireAlive();
        if (!primary && !client.await(primaryBack, patienceNanos)) {
            return new Reply<>(null, Trouble.NOT_SENT);
        }
        Exchange<T> exchange = new Exchange<>(client, what, request);
        exchange.send();
        if (!client.await(exchange.over, patienceNanos)) {
            exchange.note(Leg.GIVEN_UP);
            exchange.end(new Reply<>(null, Trouble.NO_ANSWER));
        }
        return Objects.requireNonNull(exchange.outcome);
    }

    /** One message on its two ways. */
    private final class Exchange<T> {
        private final Program client;
        private final Host host;
        private final String what;
        private final Request<T> request;
        private final int number = messages++;
        /** For the client. */
        private final Signal over = new Signal();

        private final boolean unharmed;
        private final @Nullable Fate fate;
        private final boolean refused;
        private final boolean unanswered;
        private boolean answered;
        private @Nullable Reply<T> outcome;

        Exchange(Program client, String what, Request<T> request) {
            this.client = client;
            this.host = client.host();
            this.what = what;
            this.request = request;
            this.unharmed = fair || host.isExpress();
            this.fate = unharmed ? null : host.nextFate();
            this.refused = is(Fate.Kind.REFUSE) || weather(network.refusedPpm(), Faults.REFUSED);
            this.unanswered = is(Fate.Kind.DO_AND_FAIL) || weather(network.unansweredPpm(), Faults.UNANSWERED);
        }

        private boolean is(Fate.Kind kind) {
            return fate != null && fate.kind() == kind;
        }

        private boolean weather(int ppm, String fault) {
            boolean strikes = !unharmed && host.draws().chance(ppm);
            if (strikes) {
                fault(fault, 0);
            }
            return strikes;
        }

        private void fault(String fault, long forNanos) {
            world.record(new Event.Fault(world.nowNanos(), host.number(), fault, world.nowNanos() + forNanos));
        }

        void note(Leg leg) {
            world.record(new Event.Message(world.nowNanos(), host.number(), number, leg, what));
        }

        private long wayNanos(Fate.Kind delayed) {
            if (unharmed) {
                return fair ? network.delayNanos() : 0;
            }
            long nanos = network.delayNanos() + host.draws().upTo(network.jitterNanos());
            if (weather(network.latePpm(), Faults.LATE)) {
                nanos += host.draws().upTo(network.lateNanos());
            }
            return is(delayed) ? nanos + Objects.requireNonNull(fate).delayNanos() : nanos;
        }

        void send() {
            note(Leg.SENT);
            if (fate != null && !fate.kind().comesWhenDone()) {
                fault(fate.kind().name(), fate.delayNanos());
            }
            boolean lost = is(Fate.Kind.LOSE_REQUEST) || weather(network.lostRequestPpm(), Faults.LOST_REQUEST);
            if (lost || host.isCutOff()) {
                note(Leg.REQUEST_LOST);
            } else {
                open.add(this);
                long wayNanos = wayNanos(Fate.Kind.DELAY_REQUEST);
                world.after(wayNanos, this::arrive);
                repeatAfter(wayNanos);
            }
            befall(Fate.Kind.CRASH_WHEN_SENT, Fate.Kind.PAUSE_WHEN_SENT);
        }

        /** The second one has nobody to answer to. It goes where the first one went, so that another primary does not get it. */
        private void repeatAfter(long wayNanos) {
            if (is(Fate.Kind.REPEAT) || weather(network.repeatedPpm(), Faults.REPEATED)) {
                long laterNanos = is(Fate.Kind.REPEAT)
                        ? Objects.requireNonNull(fate).delayNanos()
                        : host.draws().upTo(network.lateNanos());
                int toPrimary = pastPrimaries;
                world.after(wayNanos + laterNanos, () -> {
                    if (primary && pastPrimaries == toPrimary && !fair) {
                        request.execute(new Answer<>(null));
                    }
                });
            }
        }

        private void befall(Fate.Kind crash, Fate.Kind pause) {
            if (is(crash)) {
                host.crashFor(Objects.requireNonNull(fate).delayNanos());
            } else if (is(pause)) {
                host.sleep(world.nowNanos() + Objects.requireNonNull(fate).delayNanos());
            }
        }

        private boolean isForsaken() {
            return over.isGiven() || !client.isAlive();
        }

        private void arrive() {
            if (fair && isForsaken()) {
                open.remove(this);
                note(Leg.REQUEST_LOST);
                return;
            }
            if (!primary || refused) {
                fail(Trouble.PASSING_ERROR);
                return;
            }
            note(Leg.EXECUTED);
            request.execute(new Answer<>(this));
            if (fate != null && fate.kind().comesWhenDone() && !fair) {
                fault(fate.kind().name(), fate.delayNanos());
                befall(Fate.Kind.CRASH_WHEN_DONE, Fate.Kind.PAUSE_WHEN_DONE);
            }
        }

        void answer(T value) {
            if (!answered) {
                note(Leg.ANSWERED);
                reply(unanswered ? new Reply<>(null, Trouble.PASSING_ERROR) : new Reply<>(value, null));
            }
        }

        private void fail(Trouble trouble) {
            if (!answered) {
                reply(new Reply<>(null, trouble));
            }
        }

        private void reply(Reply<T> reply) {
            answered = true;
            open.remove(this);
            boolean lost = is(Fate.Kind.LOSE_REPLY) || weather(network.lostReplyPpm(), Faults.LOST_REPLY);
            if (lost || (!fair && host.isCutOff())) {
                note(Leg.REPLY_LOST);
            } else {
                world.after(wayNanos(Fate.Kind.DELAY_REPLY), () -> receive(reply));
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

        /** What is on its way to the primary that is gone, or waits there, is answered by nobody. */
        void connectionLost() {
            fail(Trouble.PASSING_ERROR);
        }
    }
}
