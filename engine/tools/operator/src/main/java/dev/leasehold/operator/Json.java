package dev.leasehold.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.assertions.LeaseNames;
import java.util.stream.Collectors;

/** Rows as JSON. What is not known is left out. Escapes of texts that cannot be seen are escapes of JSON too. */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private static final ObjectWriter INDENTED = MAPPER.writer(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    /** Over several lines, for one result. */
    static String of(Object row) {
        return written(INDENTED, row);
    }

    /** In one line, for results that follow each other. */
    static String line(Object row) {
        return written(MAPPER.writer(), row);
    }

    private static String written(ObjectWriter writer, Object row) {
        try {
            return writer.writeValueAsString(row)
                    .lines()
                    .map(LeaseNames::visible)
                    .collect(Collectors.joining("\n"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a row cannot be written as JSON", e);
        }
    }
}
