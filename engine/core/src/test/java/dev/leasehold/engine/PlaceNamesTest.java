package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.client.MongoClient;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of databases and collections that no server accepts, or not in transactions, are refused without asking one. */
class PlaceNamesTest {

    private final MongoClient client = (MongoClient) Proxy.newProxyInstance(
            MongoClient.class.getClassLoader(), new Class<?>[] {MongoClient.class}, (proxy, method, arguments) -> {
                throw new AssertionError("called: " + method);
            });

    @ParameterizedTest
    @ValueSource(strings = {"", "a$b", "$cmd", "a\0b", "system.leases"})
    void impossibleCollectionIsRefusedUnasked(String collection) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseEngine.builder(client)
                        .database("app")
                        .collection(collection)
                        .namespace("billing")
                        .build())
                .withMessageContaining("collection '" + collection + "' is refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a$b", "a.b", "a/b", "a b", "local", "config"})
    void impossibleDatabaseIsRefusedUnasked(String database) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseEngine.builder(client)
                        .database(database)
                        .namespace("billing")
                        .build())
                .withMessageContaining("database '" + database + "'");
    }
}
