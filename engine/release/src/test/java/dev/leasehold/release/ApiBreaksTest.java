package dev.leasehold.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiBreaksTest {

    @TempDir
    private Path folder;

    /** Between two libraries of one class {@code Api}. */
    private List<String> breaks(String before, String after) throws IOException {
        return ApiBreaks.between(jar(before), jar(after));
    }

    private Path jar(String source) throws IOException {
        Path root = Files.createTempDirectory(folder, "library");
        Path file = Files.writeString(root.resolve("Api.java"), "package library;\n" + source);
        Path classes = root.resolve("classes");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), file.toString()))
                .isZero();
        Path jar = root.resolve("library.jar");
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of("create", "true"));
                Stream<Path> all = Files.walk(classes)) {
            for (Path one : all.filter(Files::isRegularFile).toList()) {
                Path target = zip.getPath(classes.relativize(one).toString());
                Files.createDirectories(zip.getPath("/").resolve(target).getParent());
                Files.copy(one, target);
            }
        }
        return jar;
    }

    @ParameterizedTest(name = "after {0}, {1}: {2}")
    @DisplayName("A break needs a new minor version before 1.0, and a new major one from then on")
    @CsvSource({
        "0.1.0, 0.1.1, false",
        "0.1.0, 0.1.0, false",
        "0.1.0, 0.2.0, true",
        "0.9.3, 1.0.0, true",
        "1.0.0, 1.0.1, false",
        "1.0.0, 1.1.0, false",
        "1.4.2, 2.0.0-rc.1, true"
    })
    void theVersionThatMayBreak(String released, String next, boolean mayBreak) {
        assertThat(ReleaseLine.mayBreak(released, next)).isEqualTo(mayBreak);
    }

    @Test
    @DisplayName("What is gone, or asks for more, is a break")
    void breaks() throws IOException {
        assertThat(breaks(
                        "public class Api { public int size() { return 1; } public int count() { return 1; } }",
                        "public class Api { public int size() { return 1; } }"))
                .containsExactly("library.Api.count: METHOD_REMOVED");
        assertThat(breaks("public record Api(int a) {}", "public record Api(int a, int b) {}"))
                .contains("library.Api.<init>: CONSTRUCTOR_REMOVED");
        assertThat(breaks("public enum Api { A, B }", "public enum Api { A }"))
                .contains("library.Api.B: FIELD_REMOVED");
        assertThat(breaks(
                        "public class Api { public int size() { return 1; } }",
                        "public class Api { public long size() { return 1; } }"))
                .containsExactly("library.Api.size: METHOD_RETURN_TYPE_CHANGED");
        assertThat(breaks("public class Api {}", "class Api {}")).isNotEmpty();
    }

    @Test
    @DisplayName("What callers could not reach may go")
    void hiddenMembers() throws IOException {
        assertThat(breaks(
                        "public class Api { Api(int a) {} int size() { return 1; } int count; }",
                        "public class Api { Api(int a, int b) {} }"))
                .isEmpty();
        assertThat(breaks("interface Api { interface Part { void run(); } }", "interface Api { interface Part {} }"))
                .isEmpty();
        assertThat(breaks(
                        "public interface Api { interface Part { void run(); } }",
                        "public interface Api { interface Part {} }"))
                .isNotEmpty();
        assertThat(breaks(
                        "public class Api { protected Api(int a) {} protected int count; }",
                        "public class Api { Api(int a) {} }"))
                .isNotEmpty();
    }

    @Test
    @DisplayName("A method may be added to an interface that the library implements, and to none that callers do")
    void methodsOfInterfaces() throws IOException {
        String after = "public interface Api { void run(); default void twice() {} void thrice(); }";
        assertThat(breaks("public interface Api { void run(); }", after)).isEmpty();
        assertThat(breaks("@FunctionalInterface public interface Api { void run(); }", after))
                .contains("library.Api.thrice: METHOD_ADDED_TO_INTERFACE");
    }

    @Test
    @DisplayName("An attribute with a default may be added to an annotation, and none without")
    void attributesOfAnnotations() throws IOException {
        String before = "public @interface Api { String value(); }";
        assertThat(breaks(before, "public @interface Api { String value(); int port() default 1; }"))
                .isEmpty();
        assertThat(breaks(before, "public @interface Api { String value(); int port(); }"))
                .isNotEmpty();
    }

    @ParameterizedTest(name = "{1}: {2}")
    @DisplayName("A default of an annotation may be added, and neither removed nor changed")
    @CsvSource(delimiter = '|', textBlock = """
                    int value()           | int value() default 1 |
                    int value() default 1 | int value() default 1 |
                    int value() default 1 | int value() default 2 | library.Api.value: ANNOTATION_DEFAULT_CHANGED
                    int value() default 1 | int value()           | library.Api.value: ANNOTATION_DEFAULT_CHANGED
                    """)
    void defaultsOfAnnotations(String before, String after, String found) throws IOException {
        String frame = "public @interface Api { %s; }";
        assertThat(breaks(frame.formatted(before), frame.formatted(after)))
                .isEqualTo(found == null ? List.of() : List.of(found));
    }

    @ParameterizedTest(name = "{0} to {1}: a break: {2}")
    @DisplayName("Where an annotation may be written, how long it is kept and how often may grow, and not shrink")
    @CsvSource(delimiter = '|', textBlock = """
                    @Target(TYPE)           | @Target(TYPE)           | false
                    @Target(TYPE)           | @Target({METHOD, TYPE}) | false
                    @Target({METHOD, TYPE}) | @Target({TYPE, METHOD}) | false
                    @Target({METHOD, TYPE}) | @Target(METHOD)         | true
                    @Target(METHOD)         | @Target(TYPE)           | true
                    @Target(METHOD)         | ''                      | false
                    @Target(TYPE_USE)       | ''                      | true
                    ''                      | @Target(METHOD)         | true
                    @Retention(RetentionPolicy.RUNTIME) | @Retention(RetentionPolicy.CLASS) | true
                    @Retention(RetentionPolicy.RUNTIME) | ''                                | true
                    ''                                  | @Retention(RetentionPolicy.RUNTIME) | false
                    @Inherited              | ''                      | true
                    ''                      | @Inherited              | false
                    @Repeatable(All.class)  | ''                      | true
                    """)
    void usesOfAnnotations(String before, String after, boolean isBreak) throws IOException {
        String frame = "import java.lang.annotation.*; import static java.lang.annotation.ElementType.*;"
                + " %s public @interface Api {} @Retention(RetentionPolicy.RUNTIME) @interface All { Api[] value(); }";
        assertThat(breaks(frame.formatted(before), frame.formatted(after)))
                .isEqualTo(isBreak ? List.of("library.Api: ANNOTATION_USE_RESTRICTED") : List.of());
    }

    @ParameterizedTest(name = "{0} to {1}: a break: {2}")
    @DisplayName("The value of a constant stays, since compiled callers contain it")
    @CsvSource(delimiter = '|', textBlock = """
                    public static final int A = 1;        | public static final int A = 1;         | false
                    public static final int A = 1;        | public static final int A = 2;         | true
                    public static final String A = "a";   | public static final String A = "b";    | true
                    public static final int A = 1;        | public static final int A = hash();    | true
                    public static final int A = hash();   | public static final int A = 1;         | false
                    protected static final long A = 1;    | protected static final long A = 2;     | true
                    static final int A = 1;               | static final int A = 2;                | false
                    """)
    void valuesOfConstants(String before, String after, boolean isBreak) throws IOException {
        String frame = "public class Api { %s static int hash() { return 3; } }";
        assertThat(breaks(frame.formatted(before), frame.formatted(after)))
                .isEqualTo(isBreak ? List.of("library.Api.A: CONSTANT_VALUE_CHANGED") : List.of());
    }

    @ParameterizedTest(name = "{0} to {1}: {2}")
    @DisplayName("Types within types are part of the API: interfaces, and what generic types are made of")
    @CsvSource(delimiter = '|', textBlock = """
                    interface Api extends AutoCloseable {}       | interface Api {}                              | library.Api: INTERFACE_REMOVED
                    abstract class Api implements Runnable {}    | abstract class Api {}                         | library.Api: INTERFACE_REMOVED
                    class Api implements Hidden {} interface Hidden {} | class Api {}                            |
                    interface Api { List<String> run(); }        | interface Api { List<Integer> run(); }        | library.Api.run: METHOD_RETURN_TYPE_GENERICS_CHANGED
                    interface Api { void run(List<String> all); } | interface Api { void run(List<Integer> all); } | library.Api.run: METHOD_PARAMETER_GENERICS_CHANGED
                    interface Api { void run(List<? super String> all); } | interface Api { void run(List<String> all); } | library.Api.run: METHOD_PARAMETER_GENERICS_CHANGED
                    class Api { public Api(List<String> all) {} } | class Api { public Api(List<Integer> all) {} } | library.Api.<init>: METHOD_PARAMETER_GENERICS_CHANGED
                    class Api { public List<String> all; }       | class Api { public List<Integer> all; }       | library.Api.all: FIELD_GENERICS_CHANGED
                    class Api<T> {}                              | class Api<T extends Number> {}                | library.Api: CLASS_GENERIC_TEMPLATE_CHANGED
                    class Api { List<String> all() { return null; } } | class Api { List<Integer> all() { return null; } } |
                    """)
    void typesWithinTypes(String before, String after, String found) throws IOException {
        String frame = "import java.util.List; public %s";
        assertThat(breaks(frame.formatted(before), frame.formatted(after)))
                .isEqualTo(found == null ? List.of() : List.of(found));
    }

    @Test
    @DisplayName("An abstract method may be added to a class that callers cannot extend, and to no other")
    void abstractMethods() throws IOException {
        String added = " public abstract void run(); }";
        String closed = "public abstract class Api { Api() {}";
        assertThat(breaks(closed + " }", closed + added)).isEmpty();
        String open = "public abstract class Api { protected Api() {}";
        assertThat(breaks(open + " }", open + added)).isNotEmpty();
    }
}
