package dev.leasehold.replicaset;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Draws free ports below those that operating systems give to outgoing connections. With one of those, a client that
 * calls a dead node could be given the node's own port, and so talk to itself and keep the node from coming back.
 */
final class Ports {

    private static final int FIRST = 20_000;
    private static final int END = 30_000;

    private Ports() {}

    static List<Integer> free(int count) {
        return ThreadLocalRandom.current()
                .ints(FIRST, END)
                .distinct()
                .filter(Ports::isFree)
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
