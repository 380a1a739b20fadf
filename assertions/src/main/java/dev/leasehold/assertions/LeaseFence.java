package dev.leasehold.assertions;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/**
 * Keeps writes of an older tenure off a caller's own document, by a token that the document keeps.
 *
 * <p>Every fenced write of the document needs both parts, the filter and the update, combined with the caller's own:
 *
 * <pre>{@code
 * LeaseFence fence = LeaseFence.of(tenure, "fence");
 * UpdateResult result = reports.updateOne(
 *         and(eq("_id", report), fence.filter()),
 *         combine(set("text", text), fence.update()));
 * }</pre>
 *
 * <p>Such a write is refused once a write with a greater token was made, and the stored token never goes down. What
 * this does not guarantee: that the lease is held. A write of an ended tenure is accepted until a later tenure has
 * written <em>this</em> document, and a document says nothing about any other. In a transaction {@link LeaseAssertion}
 * guarantees more. No clock takes part.
 *
 * <p>A refused write is one that matches no document, so look at the matched count. Do not combine the fence with an
 * upsert: a refused one would try to insert a second document.
 *
 * <p>What the stored field may hold:
 *
 * <table>
 *   <caption>Stored field</caption>
 *   <tr><th>field</th><th>write</th></tr>
 *   <tr><td>missing</td><td>accepted</td></tr>
 *   <tr><td>a number not greater than the token, of any numeric type</td><td>accepted</td></tr>
 *   <tr><td>a greater number, or not a number (NaN)</td><td>refused</td></tr>
 *   <tr><td>null, a text, an array or anything else</td><td>refused, whatever the token is</td></tr>
 *   <tr><td>not possible, as its path leads through no document</td><td>the server's error</td></tr>
 * </table>
 *
 * <p>All tokens in one field have to come from one lease. Immutable, may be used by many threads at once; does no I/O
 * itself.
 */
public final class LeaseFence {

    private final long token;
    private final String field;

    private LeaseFence(long token, String field) {
        this.token = Tenure.checkToken(token);
        this.field = FieldPath.check(field);
    }

    /**
     * The fence of a tenure.
     *
     * @param tenure the tenure under which the caller writes
     * @param field the field of the caller's document, see {@link #of(long, String)}
     * @return the fence
     * @throws IllegalArgumentException if the field's name breaks its rule
     */
    public static LeaseFence of(Tenure tenure, String field) {
        return new LeaseFence(tenure.token(), field);
    }

    /**
     * The fence of a token, for a caller that has nothing else of the tenure.
     *
     * @param token the fencing token, 1 or more
     * @param field the field of the caller's document that keeps the greatest token so far. Dots make a path into
     *     embedded documents, which must not lead through an array. No part may be empty, start with {@code $} or have
     *     control characters or unpaired surrogates
     * @return the fence
     * @throws IllegalArgumentException if the token or the field's name breaks its rule; the message shows it
     */
    public static LeaseFence of(long token, String field) {
        return new LeaseFence(token, field);
    }

    /**
     * Matches a document whose stored token is missing or not greater than this one. Combine it with the caller's own
     * filter by {@code Filters.and}.
     *
     * @return the filter, which may be kept and used again
     */
    public Bson filter() {
        return new Rendered(() -> new BsonDocument("$or", new BsonArray(List.of(missing(), notGreater()))));
    }

    /**
     * Stores the token, unless a greater one is there. Combine it with the caller's own update by {@code
     * Updates.combine}.
     *
     * @return the update, which may be kept and used again
     */
    public Bson update() {
        // Without the filter, by mistake, a $set would take the stored token down and open the door to older writers.
        return new Rendered(() -> new BsonDocument("$max", new BsonDocument(field, new BsonInt64(token))));
    }

    /** Shows the field and the token, for logs. */
    @Override
    public String toString() {
        return "LeaseFence[field=" + Quoted.of(field) + ", token=" + token + "]";
    }

    private BsonDocument missing() {
        return new BsonDocument(field, new BsonDocument("$exists", BsonBoolean.FALSE));
    }

    /** A comparison with a number matches numbers alone, but it also matches an array if any element does. */
    private BsonDocument notGreater() {
        return new BsonDocument(
                field,
                new BsonDocument("$lte", new BsonInt64(token))
                        .append("$not", new BsonDocument("$type", new BsonString("array"))));
    }
}
