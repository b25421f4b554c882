// Decides who may write a record of the field database, and which channels it goes to.
//
// An inspector writes records of the districts granted to them. A supervisor also approves and returns inspections,
// assigns work, and deletes records of others. The office also writes forms and what everybody sees, and takes over
// records that others created (registers of earlier years). Administrators may do all of it.
function (doc, oldDoc, meta) {
    // The records of this collection, which the function does not know: "field init" names them here. "" are all kinds.
    var kind = "";
    var kinds = ["site", "inspection", "finding", "form", "assignment"];
    var statuses = {inspection: ["draft", "submitted", "approved", "returned"], assignment: ["open", "done", "dropped"]};
    var everybody = ["!", "*"];

    function refuse(reason) { throw({forbidden: reason}); }
    function passes(requirement, value) {
        try { requirement(value); } catch (refusal) { return false; }
        return true;
    }
    function is(names) { return passes(requireUser, names); }
    function isText(value) { return typeof value === "string" && value !== ""; }
    function isOneOf(list, value) { return list.indexOf(value) >= 0; }

    var isAdmin = passes(requireAdmin);
    var isOffice = passes(requireRole, "office");
    var isSupervisor = isOffice || passes(requireRole, "supervisor");

    // A record is its creator's, or its inspector's where nobody is named as its creator.
    function isOwn(record) {
        if (isText(record.createdBy)) { return is(record.createdBy); }
        if (isText(record.inspector)) { return is(record.inspector); }
        return record.type !== "site";
    }

    function checkChannel(name) {
        if (isOneOf(everybody, name)) {
            if (!isOffice) { refuse("only the office writes what everybody sees"); }
        } else if (!passes(requireAccess, [name, "*"])) {
            var isDistrict = name.indexOf("district.") === 0;
            refuse(isDistrict ? "the district " + name.substring(9) + " is not one of yours"
                : "the channel " + name + " is not one of yours");
        }
    }

    function checkStored(record) {
        var channels = [].concat(record.channels).filter(isText);
        if (channels.length === 0 && !passes(requireAccess, "*")) { refuse("the record is in no district of yours"); }
        channels.forEach(checkChannel);
    }

    function checkChannels(record) {
        if (!Array.isArray(record.channels) || record.channels.length === 0) {
            refuse("the record names no channel, so nobody would get it");
        }
        if (!record.channels.every(isText)) { refuse("the record's channels are not a list of names"); }
        record.channels.forEach(checkChannel);
    }

    function checkDeletion(record) {
        if (record.type === "form" && !isOffice) { refuse("only the office deletes forms"); }
        if (isSupervisor) { return; }
        if (record.status === "approved") { refuse("only a supervisor deletes what is approved"); }
        if (record.type === "assignment") { refuse("only a supervisor deletes assignments"); }
        if (!isOwn(record)) { refuse("only a supervisor deletes records of others"); }
    }

    function checkKind(record, old) {
        if (!isOneOf(kinds, record.type)) { refuse("there is no kind of record named " + record.type); }
        if (kind && record.type !== kind) { refuse("a " + record.type + " does not belong to the " + kind + "s"); }
        if (old && record.type !== old.type) { refuse("a " + old.type + " does not become a " + record.type); }
        if (record.type === "form" && !isOffice) { refuse("only the office writes forms"); }
    }

    // What comes back over a deletion is from then on the record of whoever brings it back: whose it was cannot be looked
    // up any more, and people could write records in the name of others over deletions of their own.
    function checkCreator(record, old) {
        if (isOffice) { return; }
        if (old) {
            if (record.createdBy !== old.createdBy) { refuse("who created a record does not change"); }
        } else if (record.createdBy !== undefined && !(isText(record.createdBy) && is(record.createdBy))) {
            refuse("the record says that " + record.createdBy + " created it, and you are somebody else");
        }
    }

    // A merge takes it from either version: from the writer's own, or from the one that is here. That is taken as a whole:
    // nobody says of somebody else that they changed a record at another time, or on another device.
    function checkChanger(record, old) {
        if (isOffice || record.changedBy === undefined) { return; }
        if (isText(record.changedBy) && is(record.changedBy)) { return; }
        if (!old || record.changedBy !== old.changedBy) {
            refuse("the record says that " + record.changedBy + " changed it last, and you are somebody else");
        }
        if (record.changedAt !== old.changedAt || record.device !== old.device) {
            refuse("when " + record.changedBy + " changed the record does not change");
        }
    }

    // A record that expires is deleted later, and nobody asks this function then. Gateways that do not say what the
    // request asks for keep at least the record.
    function checkExpiry() {
        if (isSupervisor) { return; }
        if (meta && meta.expiry) { refuse("only a supervisor lets records expire"); }
        expiry(0);
    }

    // A laptop reads a record as a whole: one photo that is none would hide all of it.
    function checkLists(record) {
        function isPhoto(photo) {
            var blob = isObject(photo) && photo.blob;
            return isObject(blob) && isText(photo.name) && isText(blob.digest);
        }
        if (record.photos !== undefined && !(Array.isArray(record.photos) && record.photos.every(isPhoto))) {
            refuse("the record's photos are not a list of photos, each with a name and a blob");
        }
        if (record.conflicts !== undefined
            && !(Array.isArray(record.conflicts) && record.conflicts.every(isObject))) {
            refuse("the record's conflicts are not a list of values");
        }
    }

    function isObject(value) { return typeof value === "object" && value !== null && !Array.isArray(value); }

    function own(record, key) {
        return Object.prototype.hasOwnProperty.call(record, key) ? record[key] : undefined;
    }

    // The same value for the same content, whatever the order of its members. An object without a prototype takes a
    // member of any name.
    function canonical(value) {
        if (Array.isArray(value)) { return value.map(canonical); }
        if (value === null || typeof value !== "object") { return value; }
        var sorted = Object.create(null);
        Object.keys(value).sort().forEach(function (key) { sorted[key] = canonical(value[key]); });
        return sorted;
    }

    function isSame(one, other) { return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other)); }

    // Nothing of a photo that was approved changes: neither its name, nor its caption, nor when it was taken.
    function keepsPhotos(record, old) {
        return listed(old).every(function (photo) {
            return listed(record).some(function (other) { return isSame(photo, other); });
        });
    }

    function listed(record) { return Array.isArray(record.photos) ? record.photos.filter(isObject) : []; }

    // What is attached is no part of the record, but a photo that is not attached is lost.
    function attachedDigests(attachments) {
        return Object.keys(attachments || {}).map(function (name) { return attachments[name].digest; });
    }

    // What a laptop adds to an approved inspection when it has merged the approval with an edit: the values that are
    // open, and photos. All else is as it was approved.
    function checkApproved(record, old) {
        var open = ["conflicts", "changedBy", "changedAt", "device", "photos",
            "_id", "_rev", "_revisions", "_attachments", "_exp", "_deleted"];
        function isKept(key) { return isOneOf(open, key) || isSame(own(record, key), own(old, key)); }
        var attached = meta && meta.attachments && attachedDigests(meta.attachments);
        var before = attachedDigests(old._attachments);
        var hasFiles = !attached || listed(old).every(function (photo) {
            var digest = isObject(photo.blob) && photo.blob.digest;
            return isOneOf(attached, digest) || !isOneOf(before, digest);
        });
        if (!hasFiles || !keepsPhotos(record, old) || !Object.keys(record).concat(Object.keys(old)).every(isKept)) {
            refuse("only a supervisor changes what is approved");
        }
    }

    // A status that stays as it is passes: an inspector's laptop brings a supervisor's approval along when it has
    // united the two versions of a record.
    function checkStatus(record, old) {
        var before = old ? old.status : undefined;
        if (record.status !== before && record.status !== undefined) {
            if (!isText(record.status)) { refuse("the record's status is not a text"); }
            if (!isOneOf(statuses[record.type] || [], record.status)) {
                refuse("the status " + record.status + " is none of " + record.type + " records");
            }
        }
        if (isSupervisor) { return; }
        if (before === "approved" && record.status === before) { checkApproved(record, old); }
        if (record.status === before) { return; }
        if (before === "approved") { refuse("only a supervisor takes an approval back"); }
        if (isOneOf(["approved", "returned"], record.status)) {
            refuse("only a supervisor approves or returns inspections");
        }
    }

    function checkAssigned(record, old) {
        if (isSupervisor) { return; }
        if (record.type === "assignment") {
            if (!old) { refuse("only a supervisor assigns work"); }
            if (!is(old.inspector)) { refuse("the assignment is somebody else's"); }
        }
        if (old && isText(old.inspector) && record.inspector !== old.inspector) {
            if (record.type === "assignment" || !isOwn(old)) { refuse("only a supervisor hands work to somebody else"); }
        }
    }

    // Anything else of that name is an ordinary member.
    var old = oldDoc && oldDoc._deleted !== true ? oldDoc : null;
    if (doc._deleted === true) {
        // What is not here may be deleted by every user: it never came here, or is deleted already, and nobody gets to
        // know of it. Laptops would otherwise keep deletions that they can never send.
        if (old && !isAdmin) {
            checkStored(old);
            checkDeletion(old);
        }
        return;
    }
    checkChannels(doc);
    if (!isAdmin) {
        if (old) { checkStored(old); }
        checkKind(doc, old);
        checkLists(doc);
        checkCreator(doc, old);
        checkChanger(doc, old);
        checkStatus(doc, old);
        checkAssigned(doc, old);
        checkExpiry();
    }
    channel(doc.channels);
}
