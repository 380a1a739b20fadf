package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {

    private static final String POSTGRES = "jdbc:postgresql://d:4/postgres?user=postgres";

    @Test
    void comesOutOfItsArgumentsAsItWentIn() {
        ServerAddresses all = new ServerAddresses(
                "mongodb://localhost", "bench", "http://a:1,http://b:2", "e:4,f:5", "redis://c:3", POSTGRES);
        ServerAddresses few = new ServerAddresses("mongodb://localhost", "bench", null, null, null, null);

        assertThat(ServerAddresses.parse(all.arguments())).isEqualTo(all);
        assertThat(ServerAddresses.parse(few.arguments())).isEqualTo(few);
    }

    @Test
    void tooFewArgumentsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddresses.parse(List.of("mongodb://localhost")))
                .withMessageContaining("1 arguments");
    }

    @Test
    void peersTakePartWhereTheirServersAre() {
        ServerAddresses few = new ServerAddresses("mongodb://localhost", "bench", null, null, null, null);
        ServerAddresses etcd = new ServerAddresses("mongodb://localhost", "bench", "http://a:1", null, null, null);
        ServerAddresses postgres = new ServerAddresses("mongodb://localhost", "bench", null, null, null, POSTGRES);

        assertThat(Library.ETCD.isThere(few)).isFalse();
        assertThat(Library.ETCD.isThere(etcd)).isTrue();
        assertThat(Library.REDISSON.isThere(etcd)).isFalse();
        assertThat(Library.JDBC.isThere(etcd)).isFalse();
        assertThat(Library.JDBC.isThere(postgres)).isTrue();
        assertThat(Library.SHEDLOCK.isThere(few)).isTrue();
    }
}
