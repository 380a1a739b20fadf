package dev.leasehold.bench.process;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.ServerAddresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A process that competes. Orders come on its standard input, a line each, with a number in front; each is carried out in a
 * thread of its own, and answered by a line with the same number. It ends with its standard input.
 */
public final class Worker {

    private static final long PARTING_SECONDS = 8;

    private final PrintStream answers;
    private final Orders orders;

    private Worker(PrintStream answers, Orders orders) {
        this.answers = answers;
        this.orders = orders;
    }

    /** The arguments are those of a {@link ServerAddresses}. */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        // Whatever a library prints must not come between the answers.
        System.setOut(System.err);
        Orders orders = new Orders(Access.to(ServerAddresses.parse(List.of(arguments))));
        new Worker(answers, orders).serve();
        // Libraries leave threads behind, which are not waited for.
        System.exit(0);
    }

    private void serve() throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            threads.execute(() -> answers.println(words[0] + " " + answer(words)));
        }
        haltInTime();
        orders.close();
    }

    /** A library that cannot reach its server may take for ever to close, and the process that started this one may be gone. */
    private static void haltInTime() {
        Thread watchdog = new Thread(() -> {
            try {
                TimeUnit.SECONDS.sleep(PARTING_SECONDS);
            } catch (InterruptedException e) {
                // Then at once.
            }
            Runtime.getRuntime().halt(1);
        });
        watchdog.setDaemon(true);
        watchdog.start();
    }

    private String answer(String[] words) {
        try {
            return "ok " + orders.carryOut(List.of(words).subList(1, words.length));
        } catch (Exception e) {
            return "failed " + e.toString().replace('\n', ' ');
        }
    }
}
