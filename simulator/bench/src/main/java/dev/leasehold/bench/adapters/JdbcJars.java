package dev.leasehold.bench.adapters;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The jars of a peer that cannot be on the class path, since it needs another Spring than the peers that are. */
public final class JdbcJars {

    private static final String RESOURCE = "jdbc-peer";

    private JdbcJars() {}

    /**
     * Copies them: a class loader cannot read jars that are inside another.
     *
     * @param folder does not exist
     * @return the folder
     */
    public static Path copyTo(Path folder) throws IOException {
        Files.createDirectory(folder);
        URI resource = resource();
        if (resource.getScheme().equals("jar")) {
            try (FileSystem outer = FileSystems.newFileSystem(resource, Map.of())) {
                copy(outer.provider().getPath(resource), folder);
            }
        } else {
            copy(Path.of(resource), folder);
        }
        return folder;
    }

    private static URI resource() {
        URL resource = JdbcJars.class.getResource(RESOURCE);
        if (resource == null) {
            throw new IllegalStateException("there is no folder '" + RESOURCE + "' among the resources");
        }
        try {
            return resource.toURI();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("'" + resource + "' is no URI", e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path jar : in(from)) {
            Files.copy(jar, to.resolve(jar.getFileName().toString()));
        }
    }

    /** {@return the jars of a folder} */
    static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }
}
