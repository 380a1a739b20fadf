package dev.leasehold.release;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The bundle for the portal: its files by their paths. */
final class Bundle {

    private final TreeMap<String, byte[]> files = new TreeMap<>();

    private Bundle() {}

    static Bundle read() throws IOException {
        return read(Files.newInputStream(Path.of(System.getProperty("leasehold.bundle"))));
    }

    private static Bundle read(InputStream content) throws IOException {
        Bundle bundle = new Bundle();
        try (ZipInputStream zip = new ZipInputStream(content)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    bundle.files.put(entry.getName(), zip.readAllBytes());
                }
            }
        }
        return bundle;
    }

    TreeMap<String, byte[]> files() {
        return files;
    }

    byte[] file(String path) {
        byte[] content = files.get(path);
        if (content == null) {
            throw new AssertionError("the bundle has no " + path);
        }
        return content;
    }

    /** The files of a jar in the bundle. */
    TreeMap<String, byte[]> jar(String path) throws IOException {
        return read(new ByteArrayInputStream(file(path))).files;
    }

    /** A repository with these files and nothing else. */
    Path unpackedInto(Path folder) throws IOException {
        for (var file : files.entrySet()) {
            Path target = folder.resolve(file.getKey());
            Files.createDirectories(target.getParent());
            Files.write(target, file.getValue());
        }
        return folder;
    }
}
