package dev.leasehold.spring;

import com.mongodb.client.MongoClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;

/** Sees the settings of a client that Boot makes. Those of a client that the application makes are in no public type of the driver. */
@AutoConfiguration(before = MongoAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "leasehold.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(MongoClient.class)
class ClientTimeoutsAutoConfiguration {

    @Bean
    static ClientTimeouts leaseClientTimeouts(ObjectProvider<MongoConnectionDetails> connection) {
        return new ClientTimeouts(connection);
    }
}
