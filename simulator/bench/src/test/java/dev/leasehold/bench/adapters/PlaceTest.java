package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceTest {

    private static final JdbcPlace POSTGRES =
            new JdbcPlace("jdbc:postgresql://d:4/postgres?user=postgres", Path.of("jars"));

    @Test
    void comesOutOfItsArgumentsAsItWentIn() {
        Place all = new Place("mongodb://localhost", "bench", "http://a:1,http://b:2", "redis://c:3", POSTGRES);
        Place few = new Place("mongodb://localhost", "bench", null, null, null);

        assertThat(Place.parse(all.arguments())).isEqualTo(all);
        assertThat(Place.parse(few.arguments())).isEqualTo(few);
    }

    @Test
    void tooFewArgumentsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Place.parse(List.of("mongodb://localhost")))
                .withMessageContaining("1 arguments");
    }

    @Test
    void peersTakePartWhereTheirServersAre() {
        Place few = new Place("mongodb://localhost", "bench", null, null, null);
        Place etcd = new Place("mongodb://localhost", "bench", "http://a:1", null, null);
        Place postgres = new Place("mongodb://localhost", "bench", null, null, POSTGRES);

        assertThat(Library.ETCD.isThere(few)).isFalse();
        assertThat(Library.ETCD.isThere(etcd)).isTrue();
        assertThat(Library.REDISSON.isThere(etcd)).isFalse();
        assertThat(Library.JDBC.isThere(etcd)).isFalse();
        assertThat(Library.JDBC.isThere(postgres)).isTrue();
        assertThat(Library.SHEDLOCK.isThere(few)).isTrue();
    }
}
