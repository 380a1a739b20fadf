package dev.leasehold.spring;

import dev.leasehold.replicaset.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts Spring Boot applications on a test's database. */
final class Application {

    private Application() {}

    /** Without what only the tests of many transaction managers want. */
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class AutoConfigured {}

    static ConfigurableApplicationContext start(TestDatabase database, Class<?> configuration, String... properties) {
        return builder(database, configuration, properties)
                .web(WebApplicationType.NONE)
                .run();
    }

    static SpringApplicationBuilder builder(TestDatabase database, Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.mongodb.uri=" + database.uri(),
                "spring.mongodb.database=" + database.name(),
                "spring.application.name=shop",
                "spring.main.banner-mode=off",
                "leasehold.session-length=15s"));
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(AutoConfigured.class, configuration).properties(all.toArray(String[]::new));
    }

    static void stop(ConfigurableApplicationContext application) {
        application.close();
    }
}
