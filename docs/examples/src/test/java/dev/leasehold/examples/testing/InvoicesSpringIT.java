package dev.leasehold.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

// example:start spring
@SpringJUnitConfig
class InvoicesSpringIT {

    @DynamicPropertySource
    static void mongo(DynamicPropertyRegistry registry) {
        TestDatabase database = ReplicaSet.shared().newDatabase();
        registry.add("spring.mongodb.uri", database::uri);
        registry.add("spring.mongodb.database", database::name);
    }
    // example:end spring

    @Configuration
    static class Beans {

        @Bean
        MongoClient client(@Value("${spring.mongodb.uri}") String uri) {
            return MongoClients.create(uri);
        }

        @Bean
        LeaseEngine engine(MongoClient client, @Value("${spring.mongodb.database}") String database) {
            return LeaseEngine.builder(client)
                    .database(database)
                    .namespace("billing")
                    .build();
        }
    }

    @Test
    void theEngineRunsOnTheReplicaSet(@Autowired LeaseEngine engine) throws InterruptedException {
        assertThat(engine.tryAcquire("nightly-invoices").asOptional()).isPresent();
    }
}
