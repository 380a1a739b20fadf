package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.spring.test.ReplicaSetContainer;
import java.util.ArrayList;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@ExtendWith(OutputCaptureExtension.class)
class ServiceConnectionIT {

    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class WithConnection {
        @Bean
        @ServiceConnection
        ReplicaSetContainer replicaSet() {
            return new ReplicaSetContainer();
        }
    }

    @Test
    void applicationRunsOnAFreshDatabaseOfTheSharedSet() throws InterruptedException {
        String name;
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(WithConnection.class)
                        .web(WebApplicationType.NONE)
                        .properties("spring.application.name=shop", "spring.main.banner-mode=off")
                        .run();
                Lease lease = application.getBean(LeaseEngine.class).acquire("report")) {
            MongoClient client = application.getBean(MongoClient.class);
            name = databaseWithLeases(client);
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(name).isNotEqualTo("test");
    }

    @Test
    void clientOfAContainerIsNotWarnedOf(CapturedOutput output) {
        new SpringApplicationBuilder(WithConnection.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.application.name=shop",
                        "spring.main.banner-mode=off",
                        "logging.level.dev.leasehold.spring=info")
                .run()
                .close();

        assertThat(output.getAll()).contains("leases are kept in database").doesNotContain("socketTimeoutMS");
    }

    private static String databaseWithLeases(MongoClient client) {
        for (String name : client.listDatabaseNames()) {
            if (client.getDatabase(name)
                            .listCollectionNames()
                            .into(new ArrayList<>())
                            .contains("leases")
                    && client.getDatabase(name)
                                    .getCollection("leases")
                                    .find(new Document("_id", "shop#report"))
                                    .first()
                            != null) {
                return name;
            }
        }
        throw new AssertionError("no database has the lease");
    }
}
