package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** A client whose waits have no end is found when the application starts. */
@WithReplicaSet
@ExtendWith(OutputCaptureExtension.class)
class ClientTimeoutsIT {

    /** Without it, nothing of the log was captured. */
    private static final String STARTED = "leases are kept in database";

    private static final String WARNING = "has neither socketTimeoutMS nor timeoutMS";

    static class Nothing {}

    static class WithCustomizer {
        @Bean
        MongoClientSettingsBuilderCustomizer limit() {
            return settings -> settings.applyToSocketSettings(socket -> socket.readTimeout(10, TimeUnit.SECONDS));
        }
    }

    static class WithClient {
        @Bean
        MongoClient client(@Value("${spring.mongodb.uri}") String uri) {
            return MongoClients.create(uri);
        }
    }

    private static void start(TestDatabase database, Class<?> configuration, String... properties) {
        try (ConfigurableApplicationContext application = Application.start(
                database,
                configuration,
                Stream.concat(Stream.of("logging.level.dev.leasehold.spring=info"), Stream.of(properties))
                        .toArray(String[]::new))) {
            assertThat(application.getBean(LeaseEngine.class)).isNotNull();
        }
    }

    private static String uri(TestDatabase database, String option) {
        String uri = database.uri();
        return "spring.mongodb.uri=" + uri + (uri.contains("?") ? "&" : "/?") + option;
    }

    @Test
    @DisplayName("A client without a socket timeout and without timeoutMS is warned of once")
    void noTimeoutIsWarnedOf(TestDatabase database, CapturedOutput output) {
        start(database, Nothing.class);

        assertThat(output.getAll()).containsOnlyOnce(WARNING).contains("waits forever for a server that is frozen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"socketTimeoutMS=10000", "timeoutMS=2000", "timeoutMS=0"})
    @DisplayName("A client whose URI has one of the two is not warned of")
    void timeoutOfTheUriIsSeen(String option, TestDatabase database, CapturedOutput output) {
        start(database, Nothing.class, uri(database, option));

        assertThat(output.getAll()).contains(STARTED).doesNotContain(WARNING);
    }

    @Test
    @DisplayName("A client whose socket timeout a bean of the application sets is not warned of")
    void timeoutOfACustomizerIsSeen(TestDatabase database, CapturedOutput output) {
        start(database, WithCustomizer.class);

        assertThat(output.getAll()).contains(STARTED).doesNotContain(WARNING);
    }

    @Test
    @DisplayName("Nothing is said of a client that the application makes, since its settings cannot be read")
    void clientOfTheApplicationIsLeftAlone(TestDatabase database, CapturedOutput output) {
        start(database, WithClient.class);

        assertThat(output.getAll()).contains(STARTED).doesNotContain(WARNING);
    }
}
