package dev.leasehold.replicaset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Points the URI of a set to a database, under a client name of its own. */
final class DatabaseUri {

    private final String scheme;
    private final String servers;
    private final String oldDatabase;
    private final List<String> options;

    private DatabaseUri(String setUri) {
        int authority = setUri.indexOf("://") + 3;
        int query = setUri.indexOf('?');
        String beforeQuery = query < 0 ? setUri : setUri.substring(0, query);
        int slash = beforeQuery.indexOf('/', authority);
        scheme = setUri.substring(0, authority);
        servers = beforeQuery.substring(authority, slash < 0 ? beforeQuery.length() : slash);
        oldDatabase = slash < 0 ? "" : beforeQuery.substring(slash + 1);
        options = new ArrayList<>(Arrays.stream((query < 0 ? "" : setUri.substring(query + 1)).split("&"))
                .filter(option -> !option.isEmpty())
                .toList());
    }

    /** For the same client as the URI of the set. */
    static String of(String setUri, String database, String appName) {
        DatabaseUri uri = new DatabaseUri(setUri);
        if (uri.servers.contains("@") && uri.options.stream().noneMatch(option -> is("authSource", option))) {
            // The user is looked up in the database of the URI, unless told otherwise.
            uri.replace("authSource", uri.oldDatabase.isEmpty() ? "admin" : uri.oldDatabase);
        }
        return uri.with(uri.servers, database, appName);
    }

    /** For a user of the database, whose name and password mean nothing special in a URI. */
    static String of(String setUri, String database, String appName, String user, String password) {
        DatabaseUri uri = new DatabaseUri(setUri);
        uri.replace("authSource", database);
        String addresses = uri.servers.substring(uri.servers.indexOf('@') + 1);
        return uri.with("%s:%s@%s".formatted(user, password, addresses), database, appName);
    }

    private String with(String newServers, String database, String appName) {
        replace("appName", appName);
        return "%s%s/%s?%s".formatted(scheme, newServers, database, String.join("&", options));
    }

    private void replace(String option, String value) {
        options.removeIf(old -> is(option, old));
        options.add(option + "=" + value);
    }

    private static boolean is(String name, String option) {
        return option.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + "=");
    }
}
