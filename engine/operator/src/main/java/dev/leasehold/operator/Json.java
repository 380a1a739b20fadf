package dev.leasehold.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Rows as JSON. What is not known is left out. */
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
            return writer.writeValueAsString(row);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a row cannot be written as JSON", e);
        }
    }
}
