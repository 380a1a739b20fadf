package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/** Leases are kept where the application keeps its own data, in whatever way that is set. */
@WithReplicaSet
@ExtendWith(OutputCaptureExtension.class)
class DatabaseIT {

    private static final String WITHOUT_SPRING_DATA =
            "spring.autoconfigure.exclude=org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration,"
                    + "org.springframework.boot.data.mongodb.autoconfigure.DataMongoRepositoriesAutoConfiguration,"
                    + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private TestDatabase database;
    private String ofTheUri;
    private String another;

    static class Nothing {}

    static class WithConnectionDetails {
        @Bean
        MongoConnectionDetails details(@Value("${test.uri}") String uri) {
            return () -> new ConnectionString(uri);
        }
    }

    /** Boot makes neither client nor factory where the application has a factory. */
    static class WithFactory {
        @Bean
        MongoClient client(@Value("${test.uri}") String uri) {
            return MongoClients.create(uri);
        }

        @Bean
        MongoDatabaseFactory factory(MongoClient client, @Value("${test.another}") String name) {
            return new SimpleMongoClientDatabaseFactory(client, name);
        }
    }

    @BeforeEach
    void names(TestDatabase given) {
        database = given;
        ofTheUri = given.name();
        another = given.name() + "_2";
    }

    @AfterEach
    void drop() {
        database.client().getDatabase(another).drop();
    }

    private ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.application.name=shop",
                "spring.main.banner-mode=off",
                "test.another=" + another,
                "test.uri=" + database.uri()));
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(Application.AutoConfigured.class, configuration)
                .properties(all.toArray(String[]::new))
                .web(WebApplicationType.NONE)
                .run();
    }

    private String uri() {
        return "spring.mongodb.uri=" + database.uri();
    }

    /** Where the engine has its documents, and the application its own. */
    private void leasesAreIn(String expected, Class<?> configuration, String... properties) {
        try (ConfigurableApplicationContext application = start(configuration, properties)) {
            assertThat(application.getBean(LeaseEngine.class).health().ready()).isTrue();
            assertThat(Stream.of(ofTheUri, another)
                            .filter(name -> database.client()
                                            .getDatabase(name)
                                            .getCollection("leases")
                                            .countDocuments()
                                    > 0))
                    .containsExactly(expected);
            assertThat(application.getBeanProvider(MongoTemplate.class).stream()
                            .map(each -> each.getDb().getName()))
                    .allMatch(expected::equals);
        }
        database.client().getDatabase(expected).getCollection("leases").drop();
    }

    @Test
    @DisplayName("The engine uses the database of the URI, and that of spring.mongodb.database before it")
    void databaseOfUriAndProperty() {
        leasesAreIn(ofTheUri, Nothing.class, uri());
        leasesAreIn(another, Nothing.class, uri(), "spring.mongodb.database=" + another);
        leasesAreIn(ofTheUri, Nothing.class, uri(), WITHOUT_SPRING_DATA);
        leasesAreIn(another, Nothing.class, uri(), "spring.mongodb.database=" + another, WITHOUT_SPRING_DATA);
    }

    @Test
    @DisplayName(
            "The engine uses the database of the application's connection details, and that of its database factory")
    void databaseOfBeans() {
        leasesAreIn(ofTheUri, WithConnectionDetails.class);
        leasesAreIn(ofTheUri, WithConnectionDetails.class, WITHOUT_SPRING_DATA);
        leasesAreIn(another, WithFactory.class, uri());
        leasesAreIn(another, WithFactory.class, uri(), "spring.mongodb.database=" + ofTheUri);
    }

    @Test
    @DisplayName("A database of its own is used if that is set, and the log names it at start")
    void databaseOfItsOwn(CapturedOutput output) {
        try (ConfigurableApplicationContext application = start(
                Nothing.class,
                uri(),
                "leasehold.database=" + another,
                "leasehold.collection=locks",
                "logging.level.dev.leasehold.spring=info")) {
            assertThat(application.getBean(LeaseEngine.class).health().ready()).isTrue();
        }
        assertThat(database.client().getDatabase(another).getCollection("locks").countDocuments())
                .isPositive();
        assertThat(output.getOut())
                .contains("leases are kept in database '" + another + "', collection 'locks', namespace 'shop'");
    }
}
