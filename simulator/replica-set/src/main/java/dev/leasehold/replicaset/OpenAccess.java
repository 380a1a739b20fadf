package dev.leasehold.replicaset;

import java.util.List;

/** Every client that reaches the nodes has all rights. */
record OpenAccess() implements Access {

    @Override
    public List<String> arguments() {
        return List.of();
    }

    @Override
    public NodeConnection connect(String address) {
        return NodeConnection.to(address);
    }

    @Override
    public String uri(String servers, String setName) {
        return "mongodb://%s/?replicaSet=%s".formatted(servers, setName);
    }

    @Override
    public void establish(String servers, String setName) {
        // All clients are the same.
    }
}
