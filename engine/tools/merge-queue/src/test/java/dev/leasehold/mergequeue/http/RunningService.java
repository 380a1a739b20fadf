package dev.leasehold.mergequeue.http;

import com.mongodb.client.MongoClient;
import dev.leasehold.mergequeue.cli.Service;
import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
import dev.leasehold.replicaset.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A replica in this JVM, whose clock for windows runs ahead when the test says so. */
public final class RunningService implements AutoCloseable {

    private static final int FIRST_PORT = 30_000;
    private static final int PORTS = 2_000;

    private final MongoClient client;
    private final Service service;
    private final URI address;
    private final AtomicLong aheadNanos;

    private RunningService(MongoClient client, Service service, URI address, AtomicLong aheadNanos) {
        this.client = client;
        this.service = service;
        this.address = address;
        this.aheadNanos = aheadNanos;
    }

    public static RunningService start(TestDatabase database, String yaml) {
        return start(database, yaml, InstantSource.system());
    }

    public static RunningService start(TestDatabase database, String yaml, InstantSource wallClock) {
        return start(database.newClient(), database, yaml, wallClock);
    }

    /** On a client that is closed with it. */
    public static RunningService start(MongoClient client, TestDatabase database, String yaml) {
        return start(client, database, yaml, InstantSource.system());
    }

    private static RunningService start(
            MongoClient client, TestDatabase database, String yaml, InstantSource wallClock) {
        int port = freePort();
        URI address = URI.create("http://127.0.0.1:" + port);
        AtomicLong aheadNanos = new AtomicLong();
        try {
            Service service = Service.start(
                    client,
                    new ConfigurationReader(Map.of()).read(yaml),
                    new ReplicaSettings(database.name(), address, Duration.ofSeconds(15)),
                    "127.0.0.1",
                    port,
                    () -> System.nanoTime() + aheadNanos.get(),
                    wallClock);
            return new RunningService(client, service, address, aheadNanos);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Below the ports that operating systems give to outgoing connections, and beside those of the replica sets. */
    public static int freePort() {
        while (true) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException e) {
                // taken; draw again
            }
        }
    }

    /** Asks again as long as no replica serves a provider, as by the rules of the service. */
    public Caller caller() {
        return callerOnce().askingAgain();
    }

    /** For a test of what is answered meanwhile. */
    public Caller callerOnce() {
        return new Caller(address);
    }

    public URI address() {
        return address;
    }

    /** The clock that counts windows jumps ahead. */
    public void pass(Duration time) {
        aheadNanos.addAndGet(time.toNanos());
    }

    @Override
    public void close() {
        service.close();
        client.close();
    }
}
