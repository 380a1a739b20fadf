package dev.leasehold.mergequeue.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.engine.LeaseMeters;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.metrics.ServiceMetrics;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
import dev.leasehold.mergequeue.view.Page;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The description says what the routes are, and nothing else. */
@WithReplicaSet
class OpenApiIT {

    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "DELETE", "PATCH");

    @Test
    void descriptionHasExactlyTheRoutes(TestDatabase database) throws Exception {
        Set<String> described = new TreeSet<>();
        description()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(
                                method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        assertThat(described).isEqualTo(routes(database));
    }

    @Test
    void everyReferenceLeadsSomewhere() throws Exception {
        JsonNode description = description();
        List<String> references = description.findValuesAsText("$ref");

        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                description.at(reference.substring(1)).isMissingNode())
                        .isFalse());
    }

    @Test
    void operationsHaveDifferentNames() throws Exception {
        assertThat(description().findValuesAsText("operationId")).hasSize(13).doesNotHaveDuplicates();
    }

    private static Set<String> routes(TestDatabase database) throws IOException {
        ReplicaSettings settings =
                new ReplicaSettings(database.name(), URI.create("http://127.0.0.1:1"), Duration.ofSeconds(15));
        Configuration configuration =
                new Configuration(List.of(), Set.of(), new Configuration.Limits(1, 1, 1), List.of());
        ServiceMetrics metrics = new ServiceMetrics(configuration);
        try (Replica replica = new Replica(
                        database.newClient(),
                        settings,
                        1,
                        metrics,
                        LeaseMeters.to(metrics.registry()),
                        System::nanoTime);
                ServerSocketChannel listening = HttpService.bind("127.0.0.1", 0)) {
            return new HttpService(
                            configuration,
                            replica,
                            metrics,
                            new Page(InstantSource.system(), "https://github.com", null),
                            listening)
                    .endpoints()
                    .filter(endpoint -> METHODS.contains(endpoint.method.name()))
                    .map(endpoint -> endpoint.method.name() + " "
                            + endpoint.path.replace('<', '{').replace('>', '}'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static JsonNode description() throws Exception {
        try (InputStream file = HttpService.class.getResourceAsStream("openapi.json")) {
            return new ObjectMapper().readTree(file);
        }
    }
}
