package dev.leasehold.simulator.store;

import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The value of an expression in a projection, as far as the engine uses them. */
final class Expression {

    private final BsonDocument variables;

    /** @param root what paths that begin with one dollar sign are of */
    Expression(BsonDocument root) {
        this(new BsonDocument("ROOT", root), Map.of());
    }

    private Expression(BsonDocument outer, Map<String, BsonValue> more) {
        // Not a clone, which would copy whole documents.
        this.variables = new BsonDocument();
        this.variables.putAll(outer);
        this.variables.putAll(more);
    }

    /** The value; null if it is missing. */
    @Nullable BsonValue of(BsonValue expression) {
        if (expression.isString()) {
            String text = expression.asString().getValue();
            return text.startsWith("$$")
                    ? path(variables, text.substring(2))
                    : text.startsWith("$") ? path(variables, "ROOT." + text.substring(1)) : expression;
        }
        if (expression.isArray()) {
            BsonArray values = new BsonArray();
            expression.asArray().forEach(element -> values.add(orNull(of(element))));
            return values;
        }
        return expression.isDocument() ? operator(expression.asDocument()) : expression;
    }

    private @Nullable BsonValue operator(BsonDocument expression) {
        String operator = expression.getFirstKey();
        BsonValue argument = orNull(expression.get(operator));
        return switch (operator) {
            case "$cond" -> {
                List<BsonValue> parts = argument.asArray();
                yield of(parts.get(BsonBoolean.TRUE.equals(of(parts.get(0))) ? 1 : 2));
            }
            case "$eq" -> {
                List<BsonValue> parts = argument.asArray();
                yield BsonBoolean.valueOf(orNull(of(parts.get(0))).equals(orNull(of(parts.get(1)))));
            }
            case "$type" -> new BsonString(type(of(argument)));
            case "$objectToArray" -> pairs(of(argument));
            case "$map" -> map(argument.asDocument());
            default -> throw new UnsupportedOperationException("expression " + operator);
        };
    }

    private static String type(@Nullable BsonValue value) {
        return value == null
                ? "missing"
                : value.isDocument() ? "object" : value.getBsonType().name();
    }

    private static BsonValue pairs(@Nullable BsonValue value) {
        BsonArray pairs = new BsonArray();
        orNull(value)
                .asDocument()
                .forEach((key, each) -> pairs.add(new BsonDocument("k", new BsonString(key)).append("v", each)));
        return pairs;
    }

    private BsonValue map(BsonDocument parts) {
        String as = parts.getString("as").getValue();
        BsonArray values = new BsonArray();
        for (BsonValue element : orNull(of(orNull(parts.get("input")))).asArray()) {
            values.add(orNull(new Expression(variables, Map.of(as, element)).of(orNull(parts.get("in")))));
        }
        return values;
    }

    /** A path through an array shows what each of its documents has there. */
    private static @Nullable BsonValue path(BsonValue from, String path) {
        int dot = path.indexOf('.');
        String key = dot < 0 ? path : path.substring(0, dot);
        if (from.isArray()) {
            BsonArray found = new BsonArray();
            for (BsonValue each : from.asArray()) {
                BsonValue value = each.isDocument() ? path(each, path) : null;
                if (value != null) {
                    found.add(value);
                }
            }
            return found;
        }
        BsonValue value = from.isDocument() ? from.asDocument().get(key) : null;
        return value == null || dot < 0 ? value : path(value, path.substring(dot + 1));
    }

    private static BsonValue orNull(@Nullable BsonValue value) {
        return value == null ? BsonNull.VALUE : value;
    }
}
