package dev.leasehold.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceTest {

    @Test
    void comesOutOfItsArgumentsAsItWentIn() {
        Place all = new Place("mongodb://localhost", "bench", "http://a:1,http://b:2", "redis://c:3");
        Place few = new Place("mongodb://localhost", "bench", null, null);

        assertThat(Place.parse(all.arguments())).isEqualTo(all);
        assertThat(Place.parse(few.arguments())).isEqualTo(few);
    }

    @Test
    void tooFewArgumentsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Place.parse(List.of("mongodb://localhost")))
                .withMessageContaining("1 arguments");
    }

    @Test
    void peersTakePartWhereTheirServersAre() {
        Place few = new Place("mongodb://localhost", "bench", null, null);
        Place etcd = new Place("mongodb://localhost", "bench", "http://a:1", null);

        assertThat(Library.ETCD.isThere(few)).isFalse();
        assertThat(Library.ETCD.isThere(etcd)).isTrue();
        assertThat(Library.REDISSON.isThere(etcd)).isFalse();
        assertThat(Library.SHEDLOCK.isThere(few)).isTrue();
    }
}
