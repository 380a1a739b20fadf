package dev.leasehold.replicaset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Points the URI of a set to a database, under a client name of its own. */
final class DatabaseUri {

    private DatabaseUri() {}

    static String of(String setUri, String database, String appName) {
        int authority = setUri.indexOf("://") + 3;
        int query = setUri.indexOf('?');
        String beforeQuery = query < 0 ? setUri : setUri.substring(0, query);
        int slash = beforeQuery.indexOf('/', authority);
        String servers = slash < 0 ? beforeQuery : beforeQuery.substring(0, slash);
        String oldDatabase = slash < 0 ? "" : beforeQuery.substring(slash + 1);
        List<String> options = options(query < 0 ? "" : setUri.substring(query + 1));
        if (servers.contains("@") && options.stream().noneMatch(option -> is("authSource", option))) {
            // The user is looked up in the database of the URI, unless told otherwise.
            options.add("authSource=" + (oldDatabase.isEmpty() ? "admin" : oldDatabase));
        }
        options.add("appName=" + appName);
        return "%s/%s?%s".formatted(servers, database, String.join("&", options));
    }

    private static List<String> options(String query) {
        return new ArrayList<>(Arrays.stream(query.split("&"))
                .filter(option -> !option.isEmpty() && !is("appName", option))
                .toList());
    }

    private static boolean is(String name, String option) {
        return option.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + "=");
    }
}
