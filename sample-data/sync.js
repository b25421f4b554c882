// Decides who may write a record and which channels it goes to. Each record names its district's channel.
function (doc, oldDoc) {
    // Access to every channel is a channel of its own here.
    function requireOneOf(channels) { requireAccess((channels || []).concat("*")); }
    var isNew = !oldDoc || oldDoc._deleted;
    if (!isNew) { requireOneOf(oldDoc.channels); }
    if (doc._deleted) {
        // Whoever may see a record may delete it.
        if (isNew) { requireAdmin(); }
        return;
    }
    if (!doc.channels || doc.channels.length === 0) {
        throw({forbidden: "the record names no channel, so nobody would get it"});
    }
    requireOneOf(doc.channels);
    if (doc.type === "form") {
        // Forms are everybody's to read and the administrator's to write.
        requireAdmin();
    } else if (doc.type === "assignment") {
        // Supervisors assign; whoever is assigned says what came of it.
        try { requireRole("supervisor"); } catch (refusal) { requireUser(isNew ? [] : oldDoc.inspector); }
    } else if (doc.type === "inspection") {
        // Nobody approves an inspection but a supervisor; registers of earlier years come approved.
        var isDecision = doc.status === "approved" || doc.status === "returned";
        if (isDecision && !isNew && doc.status !== oldDoc.status) { requireRole("supervisor"); }
    }
    channel(doc.channels);
}
