package dev.leasehold.engine.internal.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoNamespace;
import com.mongodb.connection.ClusterConnectionMode;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentCheckTest {

    private final DeploymentCheck check = new DeploymentCheck(new MongoNamespace("shop.leases"));

    @Test
    void aDriverWithoutTimeoutsIsRefusedAndSaysWhereItLies() {
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .isThrownBy(() -> check.judgeDriver(DeploymentCheckTest.class))
                .withMessageContaining("5.2 or later")
                .withMessageContaining("test-classes");
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .as("a class of unknown origin")
                .isThrownBy(() -> check.judgeDriver(Runnable.class))
                .withMessageContaining("the MongoDB driver is too old");
    }

    private void judgeServer(String hello, ClusterConnectionMode mode) {
        check.judgeServer(BsonDocument.parse(hello), mode);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{isWritablePrimary: true, setName: 'rs', maxWireVersion: 17}",
                "{isWritablePrimary: true, msg: 'isdbgrid', maxWireVersion: 17}"
            })
    void aPrimaryAndARouterWillDo(String hello) {
        assertThatCode(() -> judgeServer(hello, ClusterConnectionMode.MULTIPLE)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{msg: 'isdbgrid'}|true", "{msg: 'hi'}|false", "{msg: 1}|false", "{setName: 'rs'}|false"})
    void onlyARouterSaysSo(String hello, boolean mongos) {
        assertThat(DeploymentCheck.isMongos(BsonDocument.parse(hello))).isEqualTo(mongos);
    }

    @Test
    void aStandaloneServerIsRefusedInWordsThatHelp() {
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .isThrownBy(() -> judgeServer("{isWritablePrimary: true}", ClusterConnectionMode.SINGLE))
                .withMessageContaining("standalone")
                .withMessageContaining("replica set")
                .withMessageContaining("shop.leases");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{isWritablePrimary: false, setName: 'rs'}",
                "{isWritablePrimary: false, setName: 'rs', hosts: ['a:1', 'b:1'], me: 'a:1'}",
                "{isWritablePrimary: false, setName: 'rs', hosts: ['a:1'], me: 'b:1'}",
                "{isWritablePrimary: false, setName: 'rs', hosts: ['a:1']}"
            })
    void aDirectConnectionToASecondaryIsRefused(String hello) {
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .isThrownBy(() -> judgeServer(hello, ClusterConnectionMode.SINGLE))
                .withMessageContaining("directly")
                .withMessageContaining("'rs'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{isWritablePrimary: false, setName: 'rs'}|MULTIPLE|changing its primary",
                "{isWritablePrimary: false, setName: 'rs', hosts: ['a:1'], me: 'a:1'}|SINGLE|changing its primary",
                "{isWritablePrimary: false, isreplicaset: true}|SINGLE|not initiated",
                "{isWritablePrimary: false, isreplicaset: true}|MULTIPLE|not initiated"
            })
    void whatMayPassMayBeTriedAgain(String hello, ClusterConnectionMode mode, String why) {
        assertThatExceptionOfType(LeaseUnavailableException.class)
                .isThrownBy(() -> judgeServer(hello, mode))
                .withMessageContaining("'shop.leases'")
                .withMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: 'collection', options: {}}",
                "{type: 'collection'}",
                "{type: 'collection', options: {capped: false, collation: {locale: 'simple'}, validator: {}}}"
            })
    void anOrdinaryCollectionWillDo(String listed) {
        assertThatCode(() -> check.judgeCollection(BsonDocument.parse(listed))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: 'view', options: {viewOn: 'x'}}|it is a view",
                "{type: 'timeseries', options: {}}|it is a timeseries",
                "{type: 'collection', options: {capped: true, size: 4096}}|capped",
                "{type: 'collection', options: {collation: {locale: 'en', strength: 2}}}|locale 'en'"
            })
    void anyOtherCollectionIsRefused(String listed, String why) {
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .isThrownBy(() -> check.judgeCollection(BsonDocument.parse(listed)))
                .withMessageContaining("'shop.leases'")
                .withMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{v: 2, key: {_id: 1}, name: '_id_'}",
                "{v: 2, key: {name: 1}, name: 'name_1'}",
                "{v: 2, key: {name: 1}, name: 'name_1', unique: false}",
                "{v: 2, key: {name: 1, _id: 1}, name: 'name_1__id_1', unique: true}",
                "{v: 2, key: {_id: 1}, name: '_id_', unique: true, clustered: true}"
            })
    void anIndexThatCannotTakeTwoLeasesForOneWillDo(String index) {
        assertThatCode(() -> check.judgeIndex(BsonDocument.parse(index))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{v: 2, key: {name: 1}, name: 'by name', unique: true}",
                "{v: 2, key: {name: 1, holder: 1}, name: 'by name', unique: true, sparse: true}",
                "{v: 2, key: {name: 1}, name: 'by name', unique: true, partialFilterExpression: {type: 'lease'}}"
            })
    void anyOtherUniqueIndexIsRefusedByItsName(String index) {
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .isThrownBy(() -> check.judgeIndex(BsonDocument.parse(index)))
                .withMessageContaining("'shop.leases'")
                .withMessageContaining("unique index 'by name'")
                .withMessageContaining("Drop that index");
    }

    @ParameterizedTest(name = "wire version {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "7|4.0 or older, which have had no updates since April 2022 or earlier",
                "8|4.2, which has had no updates since April 2023",
                "9|4.4, which has had no updates since February 2024",
                "13|5.0, which has had no updates since October 2024",
                "16|of the releases between 5.0 and 6.0, which get no updates",
                "17|6.0, which has had no updates since July 2025",
                "20|of the releases between 6.0 and 7.0, which get no updates",
                "24|of the releases between 7.0 and 8.0, which get no updates"
            })
    @DisplayName("A server past its end of life is named, with since when it has had no updates")
    void aServerPastItsEndOfLife(int wireVersion, String words) {
        assertThat(EndOfLife.of(BsonDocument.parse("{maxWireVersion: " + wireVersion + "}")))
                .isEqualTo("the server is MongoDB " + words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{maxWireVersion: 21}", "{maxWireVersion: 25}", "{maxWireVersion: 29}", "{}"})
    @DisplayName("Nothing is said of a server that gets updates, or does not tell its version")
    void aServerThatGetsUpdates(String hello) {
        assertThat(EndOfLife.of(BsonDocument.parse(hello))).isNull();
    }
}
