package dev.leasehold.replicaset;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Looks whether a Docker engine answers. Testcontainers is asked only afterwards: when there is no engine, it takes
 * most of a second to find out and logs an error of many lines.
 */
final class DockerEngine {

    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int DEFAULT_PORT = 2375;
    private static final byte[] PING =
            "GET /_ping HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final HostEnvironment hostEnvironment;

    DockerEngine(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    /** Why there is none, or nothing if one answers. */
    Optional<String> absence() {
        try {
            return absence(addresses());
        } catch (IllegalArgumentException e) {
            return Optional.of("DOCKER_HOST is not understood: " + e.getMessage());
        }
    }

    private Optional<String> absence(List<SocketAddress> addresses) {
        if (addresses.isEmpty()) {
            return Optional.of("DOCKER_HOST is not set, and there is no socket at " + usualSockets());
        }
        return addresses.stream().anyMatch(DockerEngine::answers)
                ? Optional.empty()
                : Optional.of("nothing answers at " + addresses);
    }

    private List<SocketAddress> addresses() {
        return hostEnvironment
                .variable("DOCKER_HOST")
                .map(host -> List.of(address(URI.create(host))))
                .orElseGet(() -> usualSockets().stream()
                        .filter(Files::exists)
                        .<SocketAddress>map(UnixDomainSocketAddress::of)
                        .toList());
    }

    private List<Path> usualSockets() {
        Path home = hostEnvironment.home();
        Optional<Path> rootless = hostEnvironment
                .variable("XDG_RUNTIME_DIR")
                .flatMap(HostEnvironment::path)
                .map(dir -> dir.resolve("docker.sock"));
        return Stream.concat(
                        rootless.stream(),
                        Stream.of(
                                Path.of("/var/run/docker.sock"),
                                home.resolve(".docker/run/docker.sock"),
                                home.resolve(".docker/desktop/docker.sock")))
                .toList();
    }

    private static SocketAddress address(URI host) {
        if ("unix".equals(host.getScheme()) && host.getPath() != null) {
            return UnixDomainSocketAddress.of(host.getPath());
        }
        if ("tcp".equals(host.getScheme()) && host.getHost() != null) {
            return new InetSocketAddress(host.getHost(), host.getPort() == -1 ? DEFAULT_PORT : host.getPort());
        }
        throw new IllegalArgumentException("%s is neither unix:// nor tcp://".formatted(host));
    }

    private static boolean answers(SocketAddress address) {
        // A channel has no timeout of its own; an engine that hangs must not hang the search.
        CompletableFuture<Boolean> answer =
                CompletableFuture.supplyAsync(() -> answersPing(address), DockerEngine::onThreadOfItsOwn);
        try {
            return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void onThreadOfItsOwn(Runnable task) {
        Thread thread = new Thread(task, "leasehold-docker");
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean answersPing(SocketAddress address) {
        try (SocketChannel channel = SocketChannel.open(address)) {
            channel.write(ByteBuffer.wrap(PING));
            // Any answer will do: an engine behind TLS answers a plain request too, with an error.
            return channel.read(ByteBuffer.allocate(1)) == 1;
        } catch (IOException e) {
            return false;
        }
    }
}
