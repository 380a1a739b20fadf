package dev.leasehold.replicaset.junit;

import dev.leasehold.replicaset.ReplicaSetSettings;

/** Reads the annotation of tests that have a set for themselves. */
final class OwnSetSettings {

    private OwnSetSettings() {}

    static ReplicaSetSettings of(WithOwnReplicaSet annotation) {
        ReplicaSetSettings settings = ReplicaSetSettings.ofNodes(annotation.nodes());
        if (annotation.authentication()) {
            settings = settings.withAuthentication();
        }
        for (String parameter : annotation.parameters()) {
            settings = with(parameter, settings);
        }
        return settings;
    }

    private static ReplicaSetSettings with(String parameter, ReplicaSetSettings settings) {
        int equals = parameter.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("a parameter must be name=value, is " + parameter);
        }
        return settings.withParameter(parameter.substring(0, equals), parameter.substring(equals + 1));
    }
}
