package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Editors complete the properties, and say what they are for; the page has all of them. */
class ConfigurationMetadataTest {

    @Test
    void everyPropertyIsDescribed() throws IOException {
        String metadata;
        try (InputStream file = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(properties("leasehold.", LeaseholdProperties.class))
                .isNotEmpty()
                .allSatisfy(name -> {
                    assertThat(ConfigurationPropertyName.isValid(name)).isTrue();
                    assertThat(metadata).contains("\"" + name + "\"");
                });
        assertThat(metadata).contains("\"description\"");
    }

    @Test
    void everyPropertyIsOnThePageAndNoOther() throws IOException {
        String page = Files.readString(Path.of("..", "..", "..", "docs", "spring.md"));
        String table = page.substring(page.indexOf("## Settings"), page.indexOf("## Actuator"));

        assertThat(Pattern.compile("^\\| (`leasehold[^|]*) \\|", Pattern.MULTILINE)
                        .matcher(table)
                        .results()
                        .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", "))))
                .containsExactlyInAnyOrderElementsOf(properties("leasehold.", LeaseholdProperties.class));
    }

    private static List<String> properties(String prefix, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .flatMap(component -> {
                    String name = prefix + kebab(component.getName());
                    return component.getType().isRecord()
                            ? properties(name + ".", component.getType()).stream()
                            : Stream.of(name);
                })
                .toList();
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
