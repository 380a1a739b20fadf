package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

/** What the settings refuse before a database is needed. */
class SettingsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseholdAutoConfiguration.class))
            .withPropertyValues("spring.application.name=shop")
            .withBean(MongoClient.class, MongoClients::create);

    @ParameterizedTest
    @ValueSource(strings = {"leasehold.partitions", "leasehold.maximum-drift-ppm", "leasehold.election-priority"})
    @DisplayName("A number of a YAML file that is not whole is refused")
    void numbersAreWhole(String property) {
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("as YAML is read", Map.of(property, 1.5))))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(property + " 1.5 is refused: it must be a whole number"));
    }
}
