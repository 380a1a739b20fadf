package dev.leasehold.simulator.campaign;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.simulator.campaign.Questions.Handle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** One thread of a process: it wants all leases, and draws what it does next. */
final class Worker implements Runnable {

    private static final int TERM_MILLIS_MIN = 200;
    private static final int TERM_MILLIS_END = 1_500;
    /** Longer than an operation may take. */
    private static final int ACQUIRED_TERM_MILLIS_MIN = 2_600;

    private static final int ACQUIRED_TERM_MILLIS_END = 4_000;
    private static final int WAIT_MILLIS_END = 1_500;
    private static final int THINKING_MILLIS_END = 30;
    private static final int ENDED_KEPT = 8;

    /** What the workers of one process share. */
    record ProcessContext(
            LeaseEngine engine,
            MongoClient client,
            GatedWork work,
            Questions questions,
            ValidityWatch validities,
            Journal journal,
            List<String> leases) {}

    private final ProcessContext process;
    private final String holder;
    private final SplittableRandom random;
    private final Map<String, Tenure> held = new HashMap<>();
    /** Tenures that are over, or that are left to expire. */
    private final List<Tenure> left = new ArrayList<>();

    private final List<Handle> handles = new ArrayList<>();
    private final Queue<Tenure> late = new ConcurrentLinkedQueue<>();
    private int acquisitions;
    private volatile boolean stopped;

    Worker(ProcessContext process, String holder, SplittableRandom random) {
        this.process = process;
        this.holder = holder;
        this.random = random;
    }

    /** Lets it finish what it does, and no more. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                step();
                Thread.sleep(random.nextInt(THINKING_MILLIS_END));
            }
            handles.forEach(process.questions()::close);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void step() throws InterruptedException {
        for (Tenure tenure = late.poll(); tenure != null; tenure = late.poll()) {
            own(tenure);
        }
        if (!handles.isEmpty() && random.nextInt(100) < 50) {
            use(any(handles));
        } else if (!held.isEmpty() && random.nextInt(100) < 70) {
            use(any(List.copyOf(held.values())));
        } else {
            acquire(any(process.leases()));
        }
    }

    private <T> T any(List<T> candidates) {
        return candidates.get(random.nextInt(candidates.size()));
    }

    /** A lease that it holds already too: then it must be refused. */
    private void acquire(String lease) throws InterruptedException {
        int choice = random.nextInt(100);
        if (choice < 25) {
            process.questions().claim(lease, holder, term(), late::add).ifPresent(this::own);
        } else if (choice < 45) {
            process.questions().takeOver(lease, holder, term(), late::add).ifPresent(this::own);
        } else if (choice < 80) {
            String handleHolder = holder + "-" + acquisitions++;
            process.questions()
                    .acquire(lease, handleHolder, termOrSession(), waitLimit())
                    .ifPresent(this::own);
        } else if (choice < 88) {
            process.questions().expire(lease);
        } else if (!left.isEmpty()) {
            useAgain(any(left));
        }
    }

    private void use(Tenure tenure) throws InterruptedException {
        int choice = random.nextInt(100);
        if (choice < 50) {
            gate(process.engine().tenures().assertion(tenure));
        } else if (choice < 70) {
            extend(tenure);
        } else {
            leave(tenure);
            if (choice < 85) {
                process.questions().release(tenure);
            }
        }
    }

    /** What a holder does that has not noticed. */
    private void useAgain(Tenure tenure) throws InterruptedException {
        int choice = random.nextInt(100);
        if (choice < 60) {
            gate(process.engine().tenures().assertion(tenure));
        } else if (choice < 85) {
            extend(tenure);
        } else {
            process.questions().release(tenure);
        }
    }

    /** A handle that was lost too, now and then: its holder may not have noticed. */
    private void use(Handle handle) {
        if (random.nextInt(100) < 80) {
            gate(handle.lease().assertion());
        } else {
            handles.remove(handle);
            process.questions().close(handle);
        }
    }

    private void gate(LeaseAssertion assertion) {
        process.work().carryOut(process.client(), assertion, random.nextBoolean(), process.journal());
    }

    private void extend(Tenure tenure) throws InterruptedException {
        boolean extended = process.questions().extend(tenure, term()).isPresent();
        process.validities().watch(tenure);
        if (!extended) {
            leave(tenure);
        }
    }

    private void own(Tenure tenure) {
        process.validities().watch(tenure);
        held.put(tenure.name(), tenure);
    }

    private void own(Handle handle) {
        handle.lease().onLost(loss -> process.journal().lost(handle.call(), loss));
        process.validities().watch(handle.lease());
        handles.add(handle);
    }

    private void leave(Tenure tenure) {
        held.remove(tenure.name(), tenure);
        left.remove(tenure);
        left.add(tenure);
        if (left.size() > ENDED_KEPT) {
            left.remove(0);
        }
    }

    /** Null for the session. */
    private @Nullable Duration termOrSession() {
        return random.nextBoolean()
                ? null
                : Duration.ofMillis(random.nextInt(ACQUIRED_TERM_MILLIS_MIN, ACQUIRED_TERM_MILLIS_END));
    }

    private Duration waitLimit() {
        return Duration.ofMillis(random.nextBoolean() ? 0 : random.nextInt(WAIT_MILLIS_END));
    }

    private Duration term() {
        return Duration.ofMillis(random.nextInt(TERM_MILLIS_MIN, TERM_MILLIS_END));
    }
}
