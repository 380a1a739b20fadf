package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoNamespace;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoundLeaseTest {

    private static final MongoNamespace LEASES = new MongoNamespace("shop", "leases");

    @Test
    void aMissingDocumentIsNoLeaseOfThatCollection() {
        assertThat(FoundLease.describe(null, LEASES)).isEqualTo("there is no such lease in collection 'shop.leases'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{holder: 'h2', token: {$numberLong: '6'}}                  | it is held by 'h2', token 6",
                "{holder: 'h2', token: {$numberLong: '6'}, comment: 'c\\n'} | it is held by 'h2', token 6, comment 'c\\u000a'",
                "{holder: null, token: {$numberLong: '6'}}                  | it is vacant, token 6",
                "{token: {$numberLong: '6'}}                                | it is vacant, token 6",
                "{holder: 7, token: {$numberLong: '6'}}                     | its holder is a INT32, token 6",
                "{holder: 'h2', token: 'six'}                               | it is held by 'h2', its token is a STRING",
                "{holder: 'h2', token: {$numberLong: '6'}, comment: 7}      | it is held by 'h2', token 6",
                "{}                                                         | it is vacant, its token is a NULL",
            })
    void anyDocumentHasADescription(String lease, String description) {
        assertThat(FoundLease.describe(BsonDocument.parse(lease.replace('\'', '"')), LEASES))
                .isEqualTo(description);
    }
}
