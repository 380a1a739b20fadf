package dev.leasehold.replicaset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network between one client and the servers, which a test can cut and mend. Other clients, and the servers among
 * themselves, do not notice.
 *
 * <pre>{@code
 * try (ClientNetwork network = ClientNetwork.open();
 *         MongoClient client = MongoClients.create(network.uri(database.uri()))) {
 *     network.cut(ClientNetwork.Cut.SILENT);
 *     ...
 *     network.mend();
 * }
 * }</pre>
 *
 * <p>It is a SOCKS 5 proxy on 127.0.0.1. The driver sends all its connections through the proxy of its URI, those that
 * watch the servers included. The client may be in another process.
 *
 * <p>Safe for use by many threads.
 */
public final class ClientNetwork implements AutoCloseable {

    /** What a cut looks like to the client. */
    public enum Cut {
        /** Open connections are reset, and new ones end at once. What was on its way is lost. */
        BROKEN,
        /**
         * Nothing arrives on either side, and neither is told. What was sent meanwhile, and was not too much for the
         * buffers, arrives when the network works again, also if its sender waits no more.
         */
        SILENT,
        /** What the client sends over open connections arrives at once, the answers only when the network is mended. */
        WITHOUT_ANSWERS
    }

    private final ServerSocket entrance;
    private final Gate requests = new Gate();
    private final Gate answers = new Gate();
    private final Set<ProxyConnection> passages = ConcurrentHashMap.newKeySet();
    private final ReentrantLock changes = new ReentrantLock();
    private volatile boolean broken;

    private ClientNetwork(ServerSocket entrance) {
        this.entrance = entrance;
    }

    /**
     * Opens a network that lets everything through.
     *
     * @return the network; to be closed after the client
     */
    public static ClientNetwork open() {
        try {
            ClientNetwork network = new ClientNetwork(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
            startThread(network::accept);
            return network;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on 127.0.0.1", e);
        }
    }

    /**
     * The same servers, for a client that is to reach them through this network.
     *
     * @param uri a MongoDB URI with at least one option, such as {@link TestDatabase#uri()}
     * @return the URI with this proxy
     */
    public String uri(String uri) {
        if (uri.indexOf('?') < 0) {
            throw new IllegalArgumentException("URI '" + uri + "' is refused: it must have an option");
        }
        return String.format(
                Locale.ROOT,
                "%s&proxyHost=%s&proxyPort=%d",
                uri,
                entrance.getInetAddress().getHostAddress(),
                port());
    }

    /**
     * Cuts the network, or changes the kind of the cut.
     *
     * @param cut what it looks like
     */
    public void cut(Cut cut) {
        change(() -> {
            requests.shut();
            answers.shut();
            broken = cut == Cut.BROKEN;
            if (broken) {
                passages.forEach(ProxyConnection::reset);
            }
            if (cut != Cut.SILENT) {
                requests.open();
            }
            if (broken) {
                answers.open();
            }
        });
    }

    /** Lets everything through again. Nothing happens if it is not cut. */
    public void mend() {
        change(() -> {
            broken = false;
            requests.open();
            answers.open();
        });
    }

    /**
     * How many connections there are.
     *
     * @return those that a client has opened and neither side has ended, as far as it is known here
     */
    public int connections() {
        return passages.size();
    }

    /** Ends all connections, and takes no new ones. */
    @Override
    public void close() {
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the network", e);
        } finally {
            cut(Cut.BROKEN);
        }
    }

    int port() {
        return entrance.getLocalPort();
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                startThread(() -> carry(client));
            } catch (IOException e) {
                // Closed, or a client that was gone before it was let in.
            }
        }
    }

    private void carry(Socket client) {
        ProxyConnection proxyConnection = new ProxyConnection(client, requests, answers);
        passages.add(proxyConnection);
        try {
            // After it was added: a cut either finds it there or is seen here.
            if (broken) {
                proxyConnection.reset();
            }
            proxyConnection.run(ClientNetwork::startThread);
        } finally {
            passages.remove(proxyConnection);
        }
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "client network");
        thread.setDaemon(true);
        thread.start();
    }

    private void change(Runnable change) {
        changes.lock();
        try {
            change.run();
        } finally {
            changes.unlock();
        }
    }
}
