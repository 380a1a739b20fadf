package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {

    @ParameterizedTest
    @ValueSource(strings = {"mongodb://127.0.0.1:1/", "mongodb://127.0.0.1:1/?w=1"})
    void whateverTheSetDoesByDefaultWritesWaitForAMajority(String uri) {
        try (MongoClient client = Access.to(new ServerAddresses(uri, "none", null, null, null, null))
                .newClient()) {
            assertThat(client.getDatabase("none").getWriteConcern()).isEqualTo(WriteConcern.MAJORITY);
        }
    }
}
