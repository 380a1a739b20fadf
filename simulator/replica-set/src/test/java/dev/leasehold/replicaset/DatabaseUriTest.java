package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUriTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "mongodb://a:1,b:2/?replicaSet=rs | mongodb://a:1,b:2/db?replicaSet=rs&appName=app",
                "mongodb://a:1 | mongodb://a:1/db?appName=app",
                "mongodb://a:1/ | mongodb://a:1/db?appName=app",
                "mongodb://a:1/old?w=1 | mongodb://a:1/db?w=1&appName=app",
                "mongodb://a:1/?APPNAME=x&w=1 | mongodb://a:1/db?w=1&appName=app",
                "mongodb://a:1?w=1 | mongodb://a:1/db?w=1&appName=app",
            })
    void databaseAndClientNameAreReplaced(String setUri, String expected) {
        assertThat(DatabaseUri.of(setUri, "db", "app")).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "mongodb://u:p@a:1/ | mongodb://u:p@a:1/db?authSource=admin&appName=app",
                "mongodb://u:p@a:1/users | mongodb://u:p@a:1/db?authSource=users&appName=app",
                "mongodb+srv://u:p@a/?authsource=x | mongodb+srv://u:p@a/db?authsource=x&appName=app",
            })
    void theUserIsLookedUpWhereItWasBefore(String setUri, String expected) {
        assertThat(DatabaseUri.of(setUri, "db", "app")).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "mongodb://u:p@a:1,b:2/?replicaSet=rs&authSource=admin"
                        + " | mongodb://me:mine@a:1,b:2/db?replicaSet=rs&authSource=db&appName=app",
                "mongodb://a:1 | mongodb://me:mine@a:1/db?authSource=db&appName=app",
            })
    void aUserOfTheDatabaseTakesTheOtherOnesPlace(String setUri, String expected) {
        assertThat(DatabaseUri.of(setUri, "db", "app", "me", "mine")).isEqualTo(expected);
    }
}
