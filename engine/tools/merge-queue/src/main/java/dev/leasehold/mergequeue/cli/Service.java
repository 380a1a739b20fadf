package dev.leasehold.mergequeue.cli;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseMeters;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfiguredProvider;
import dev.leasehold.mergequeue.http.HttpService;
import dev.leasehold.mergequeue.metrics.ServiceMetrics;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
import dev.leasehold.mergequeue.view.Page;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** A replica with its server: all of a process but the database. */
public final class Service implements AutoCloseable {

    private final Replica replica;
    private final HttpService http;

    private final ServiceMetrics metrics;

    private Service(Replica replica, HttpService http, ServiceMetrics metrics) {
        this.replica = replica;
        this.http = http;
        this.metrics = metrics;
    }

    /**
     * Starts it.
     *
     * @param client of the database; stays open when the service is closed
     * @param configuration of the service
     * @param settings of the replica
     * @param host to listen on
     * @param port to listen on
     * @return the service, which serves
     * @throws IOException if it cannot listen there
     */
    public static Service start(
            MongoClient client, Configuration configuration, ReplicaSettings settings, String host, int port)
            throws IOException {
        return start(client, configuration, settings, host, port, System::nanoTime, InstantSource.system());
    }

    /**
     * Starts it with clocks of one's own.
     *
     * @param client of the database; stays open when the service is closed
     * @param configuration of the service
     * @param settings of the replica
     * @param host to listen on
     * @param port to listen on
     * @param nanoTime counts windows
     * @param wallClock is shown to people
     * @return the service, which serves
     * @throws IOException if it cannot listen there
     */
    public static Service start(
            MongoClient client,
            Configuration configuration,
            ReplicaSettings settings,
            String host,
            int port,
            LongSupplier nanoTime,
            InstantSource wallClock)
            throws IOException {
        // First of all, so that a replica that cannot listen takes no leases from those that can.
        ServerSocketChannel listening = HttpService.bind(host, port);
        ServiceMetrics metrics = new ServiceMetrics(configuration);
        Replica replica = null;
        HttpService http = null;
        try {
            replica = new Replica(
                    client,
                    settings,
                    configuration.limits().providersMax(),
                    metrics,
                    LeaseMeters.to(metrics.registry()),
                    nanoTime);
            http = new HttpService(
                    configuration,
                    replica,
                    metrics,
                    new Page(wallClock, configuration.github(), configuration.operator()),
                    listening);
            http.start();
            metrics.measureProcess();
            stand(configuration, replica);
            return new Service(replica, http, metrics);
        } catch (RuntimeException e) {
            if (http != null) {
                http.close();
            }
            if (replica != null) {
                replica.close();
            }
            metrics.close();
            listening.close();
            throw e;
        }
    }

    private static void stand(Configuration configuration, Replica replica) {
        for (ConfiguredProvider provider : configuration.providers()) {
            if (provider.baseRef().isName()) {
                replica.stand(
                        new ProviderKey(
                                provider.owner(),
                                provider.repo(),
                                provider.baseRef().text()),
                        provider.settings());
            }
        }
        replica.standForLive(key -> configuration.settings(key.owner(), key.repo(), key.baseRef()));
    }

    /** {@return the port on which it listens} */
    public int port() {
        return http.port();
    }

    /** Takes no further requests, answers those under way, then gives the providers back. */
    @Override
    public void close() {
        drain();
        replica.close();
        http.close();
        metrics.close();
    }

    /** As {@link #close}, for a database that ends as well: it is not asked for anything more. */
    void closeWithItsDatabase() {
        drain();
        http.close();
        metrics.close();
    }

    private void drain() {
        try {
            http.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
