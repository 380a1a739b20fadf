package dev.leasehold.mergequeue.process;

import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.mergequeue.http.Caller.Reply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** One run of a CI: polls any replica until it has acquired the resource or need not any more. */
final class CiRun implements Callable<String> {

    private static final String PROVIDER = "acme/shop/main";
    private static final long POLL_MILLIS = 400;

    private final String name;
    private final long priority;
    private final boolean succeeds;
    private final Supplier<List<Caller>> replicas;
    private final ResourceObserver resource;
    private final Semaphore permits;

    /** Its work lasts until there is a permit. */
    CiRun(
            String name,
            long priority,
            boolean succeeds,
            Supplier<List<Caller>> replicas,
            ResourceObserver resource,
            Semaphore permits) {
        this.name = name;
        this.priority = priority;
        this.succeeds = succeeds;
        this.replicas = replicas;
        this.resource = resource;
        this.permits = permits;
    }

    /** {@return how it ended: success, failure or completed} */
    @Override
    public String call() throws InterruptedException {
        while (true) {
            Reply reply = ask(replica -> replica.acquire(PROVIDER, name, priority));
            switch (reply.requestStatus()) {
                case "acquired" -> {
                    return work(reply.token());
                }
                case "completed" -> {
                    resource.completed(name);
                    return "completed";
                }
                case "pending" -> Thread.sleep(POLL_MILLIS);
                default ->
                    throw new AssertionError(
                            name + " was told " + reply.response().body());
            }
        }
    }

    private String work(long token) throws InterruptedException {
        resource.enter(name, token);
        permits.acquire();
        resource.leave(name, succeeds);
        String outcome = succeeds ? "success" : "failure";
        Reply told = ask(replica -> replica.release(PROVIDER, name, outcome, token));
        if (!told.requestStatus().equals(succeeds ? "completed" : "failure")) {
            throw new AssertionError(name + " was told " + told.response().body());
        }
        return outcome;
    }

    private interface Question {
        Reply put(Caller replica) throws IOException, InterruptedException;
    }

    /** Asks again until a replica answers with 200. */
    private Reply ask(Question question) throws InterruptedException {
        while (true) {
            List<Caller> known = replicas.get();
            Caller replica = known.get(ThreadLocalRandom.current().nextInt(known.size()));
            try {
                Reply reply = question.put(replica);
                if (reply.status() == 200) {
                    return reply;
                }
                if (reply.status() != 503) {
                    throw new AssertionError(name + ": " + reply.status() + " "
                            + reply.response().body());
                }
            } catch (IOException e) {
                // dead or frozen: as a client sees it, a transport error
            }
            Thread.sleep(POLL_MILLIS);
        }
    }
}
