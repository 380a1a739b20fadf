package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers get when the collection refuses what the engine writes. */
class TroubleIT extends WithEngines {

    @Test
    @DisplayName(
            "A unique index that was made meanwhile is named by each call that it fails, and no lost race is made of it")
    void aUniqueIndexOfAnotherIsNamed() throws InterruptedException {
        TestEngine a = engines.start("a");
        a.claims("one", "h", ofSeconds(60));
        engines.documents().createIndex(Indexes.ascending("holder"), new IndexOptions().unique(true));

        assertThatThrownBy(() -> a.engine().tenures().claim("two", "h", ofSeconds(60)))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("the unique index 'holder_1' of the collection refused a document of a lease");

        engines.documents().dropIndex("holder_1");
        assertThat(a.claims("two", "h", ofSeconds(60)).token()).isEqualTo(1);
    }
}
