package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.StringUtils;

/** Editors complete the properties, and say what they are for. */
class ConfigurationMetadataTest {

    @Test
    void everyPropertyIsDescribed() throws IOException {
        String metadata;
        try (InputStream file = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> names = Arrays.stream(LeaseholdProperties.class.getRecordComponents())
                .filter(component -> !component.getType().isRecord())
                .map(RecordComponent::getName)
                .map(name -> StringUtils.uncapitalize(name)
                        .replaceAll("([A-Z])", "-$1")
                        .toLowerCase(Locale.ROOT))
                .toList();
        assertThat(names).isNotEmpty().allSatisfy(name -> {
            assertThat(ConfigurationPropertyName.isValid("leasehold." + name)).isTrue();
            assertThat(metadata).contains("\"leasehold." + name + "\"");
        });
        assertThat(metadata)
                .contains("\"leasehold.housekeeping.period\"", "\"leasehold.gated.retry-time\"", "\"description\"");
    }
}
