package dev.leasehold.examples.environments;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An instance of the service, as a process that does what it reads from its standard input, and answers each line with a line. */
final class EnvironmentInstance {

    static final String NAMESPACE = "environments";
    static final String ACTIVITIES = "activities";

    private final EnvironmentLeases leases;
    private final Activities activities;
    private final BufferedReader in;
    private final PrintStream out;
    private @Nullable EnvironmentLease lease;

    private EnvironmentInstance(EnvironmentLeases leases, Activities activities, BufferedReader in, PrintStream out) {
        this.leases = leases;
        this.activities = activities;
        this.in = in;
        this.out = out;
    }

    /**
     * Works until the input ends.
     *
     * @param arguments the URI of the replica set, the database, and the name of this instance
     * @throws IOException if the input cannot be read
     * @throws InterruptedException never, since nothing interrupts it
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String database = arguments[1];
        String host = arguments[2];
        try (MongoClient client = MongoClients.create(arguments[0]);
                LeaseEngine engine = LeaseEngine.builder(client)
                        .database(database)
                        .namespace(NAMESPACE)
                        .instance(host)
                        .build()) {
            new EnvironmentInstance(
                            new MongoEnvironmentLeases(engine, host, LeaseDuration.of(System.getProperties())),
                            new Activities(client, client.getDatabase(database).getCollection(ACTIVITIES)),
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                            System.out)
                    .work();
        }
    }

    private void work() throws IOException, InterruptedException {
        String line = in.readLine();
        while (line != null) {
            out.println(answer(line.split(" ")));
            line = in.readLine();
        }
    }

    private String answer(String[] words) throws InterruptedException {
        EnvironmentLease held = lease;
        if (words[0].equals("acquire")) {
            return acquire(words[1], Action.ofText(words[2]));
        }
        if (held == null) {
            return "error: nothing was acquired";
        }
        return switch (words[0]) {
            case "begin" -> begin(held);
            case "held" -> "held " + held.isHeld();
            case "close" -> close(held);
            default -> "error: " + words[0];
        };
    }

    private String acquire(String environment, Action action) throws InterruptedException {
        try {
            EnvironmentLease acquired = leases.tryAcquire(environment, action);
            lease = acquired;
            return "granted " + acquired.priorStatus();
        } catch (EnvironmentInUseException e) {
            return "refused " + e.getMessage();
        }
    }

    private String begin(EnvironmentLease held) {
        AtomicBoolean checked = new AtomicBoolean();
        try {
            return activities
                    .beginIfSafe(held, running -> {
                        boolean safe = held.action().isSafeBeside(running);
                        if (checked.compareAndSet(false, true)) {
                            betweenCheckAndRecord(safe, running);
                        }
                        return safe;
                    })
                    .map(id -> "recorded " + id)
                    .orElse("not recorded");
        } catch (LeaseNotHeldException e) {
            return "too late " + e.getMessage();
        }
    }

    /** Says what the check found, and goes on when it is told to. */
    private void betweenCheckAndRecord(boolean safe, Set<Action> running) {
        out.println((safe ? "safe" : "unsafe") + " beside " + running);
        try {
            in.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String close(EnvironmentLease held) {
        held.close();
        return "closed";
    }
}
