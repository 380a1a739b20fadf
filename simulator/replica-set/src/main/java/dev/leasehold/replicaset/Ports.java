package dev.leasehold.replicaset;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Draws free ports below those that operating systems give to outgoing connections. With one of those, a client that
 * calls a dead node could be given the node's own port, and so talk to itself and keep the node from coming back.
 */
final class Ports {

    private static final int FIRST = 20_000;
    private static final int END = 30_000;

    private Ports() {}

    static List<Integer> free(int count) {
        return free(count, Ports::isFree);
    }

    static List<Integer> free(int count, IntPredicate isFree) {
        List<Integer> free = ThreadLocalRandom.current()
                .ints(FIRST, END)
                .distinct()
                // Otherwise the search would not end where too few are free, or none can be looked at.
                .limit(END - FIRST)
                .filter(isFree)
                .limit(count)
                .boxed()
                .toList();
        if (free.size() < count) {
            throw new ReplicaSetUnavailableException(String.format(
                    Locale.ROOT,
                    "%d nodes need as many ports: of the ports %d to %d, %d are free",
                    count,
                    FIRST,
                    END - 1,
                    free.size()));
        }
        return free;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(MongodCommand.LISTENS_AT, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
