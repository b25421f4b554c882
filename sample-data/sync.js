// Decides who may write a record and which channels it goes to. Each record names its district's channel.
function (doc, oldDoc) {
    if (doc._deleted) {
        // Whoever may see a record may delete it.
        requireAccess(oldDoc && oldDoc.channels);
        return;
    }
    if (!doc.channels || doc.channels.length === 0) {
        throw({forbidden: "the record names no channel, so nobody would get it"});
    }
    if (doc.type === "form") {
        // Forms are everybody's to read and the administrator's to write.
        requireAdmin();
    } else {
        if (oldDoc && !oldDoc._deleted) { requireAccess(oldDoc.channels); }
        requireAccess(doc.channels);
    }
    channel(doc.channels);
}
