package dev.leasehold.mergequeue.cli;

import com.mongodb.client.MongoClient;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfiguredProvider;
import dev.leasehold.mergequeue.http.HttpService;
import dev.leasehold.mergequeue.metrics.ServiceMetrics;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
import dev.leasehold.mergequeue.view.Page;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** A replica with its server: all of a process but the database. */
public final class Service implements AutoCloseable {

    private final Replica replica;
    private final HttpService http;

    private Service(Replica replica, HttpService http) {
        this.replica = replica;
        this.http = http;
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
     */
    public static Service start(
            MongoClient client, Configuration configuration, ReplicaSettings settings, String host, int port) {
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
     */
    public static Service start(
            MongoClient client,
            Configuration configuration,
            ReplicaSettings settings,
            String host,
            int port,
            LongSupplier nanoTime,
            InstantSource wallClock) {
        ServiceMetrics metrics = new ServiceMetrics();
        Replica replica = new Replica(client, settings, configuration.limits().providersMax(), metrics, nanoTime);
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
        HttpService http = new HttpService(configuration, replica, metrics, new Page(wallClock));
        try {
            http.start(host, port);
            return new Service(replica, http);
        } catch (RuntimeException e) {
            replica.close();
            throw e;
        }
    }

    /** Takes no further requests, then gives the providers back. */
    @Override
    public void close() {
        http.close();
        replica.close();
    }
}
