package dev.leasehold.examples.repository;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the repository, without what a build leaves there. */
public final class Repository {

    /** Its folder. The tests of a module run in the module's own. */
    public static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    private static final Path TESTS = Path.of("src", "test", "java");
    private static final Path TEMPLATES = Path.of("src", "main");

    /** Builds write and remove files there meanwhile, or what is there belongs to others. */
    private static final Set<String> SKIPPED = Set.of(".git", "target", "node_modules");

    private Repository() {}

    /** All files, in an order that does not change. */
    public static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
        return files;
    }

    /** The Markdown pages, without the templates that pages are made of. */
    public static List<Path> pages() throws IOException {
        return files().stream()
                .filter(file -> file.toString().endsWith(".md") && !isBelow(file, TEMPLATES))
                .toList();
    }

    /** The Java sources of all tests. */
    public static List<Path> testSources() throws IOException {
        return files().stream()
                .filter(file -> file.toString().endsWith(".java") && isBelow(file, TESTS))
                .toList();
    }

    /** The name of the class that a Java source is named for. */
    public static String className(Path source) {
        String name = source.getFileName().toString();
        return name.substring(0, name.length() - ".java".length());
    }

    /** Its path from the folder of the repository, with slashes. */
    public static String pathOf(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    static boolean isBelow(Path file, Path folders) {
        return ("/" + pathOf(file)).contains("/" + folders.toString().replace('\\', '/') + "/");
    }
}
